package dev.weir.cli.terminal;

/**
 * The area that text is drawn on.
 *
 * @param columns how wide it should be at most
 * @param cuts whether what is wider is cut, as on a terminal; a file keeps all of it
 * @param colours whether escape codes for colours are understood and wanted
 * @param unicode whether characters beyond ASCII can be shown
 */
public record Page(int columns, boolean cuts, boolean colours, boolean unicode) {
    /** The same, but it does not cut. */
    public Page uncut() {
        return new Page(columns, false, colours, unicode);
    }

    /** The text, cut to a width if this page cuts. */
    public String clip(String text, int width) {
        return cuts ? Text.clip(text, width, ellipsis()) : text;
    }

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
