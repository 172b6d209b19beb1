package dev.weir.cli.terminal;

/**
 * The means of drawing: with or without colours, in Unicode or in ASCII only.
 *
 * @param colours whether escape codes for colours are understood and wanted
 * @param unicode whether characters beyond ASCII can be shown
 */
public record Ink(boolean colours, boolean unicode) {

    /** Text as it is sent, with the codes for its look if colours are shown. */
    public String paint(Look look, String text) {
        return !colours || look == Look.PLAIN || text.isEmpty() ? text : look.on() + text + Look.off();
    }

    /** One of two texts: {@code drawn} if Unicode can be shown, else {@code plain}. */
    public String choose(String drawn, String plain) {
        return unicode ? drawn : plain;
    }

    /** Returns the sign for omitted text. */
    public String ellipsis() {
        return choose("…", "...");
    }
}
