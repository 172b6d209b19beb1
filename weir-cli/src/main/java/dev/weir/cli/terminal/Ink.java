package dev.weir.cli.terminal;

/**
 * What can be drawn with: colours or none, the characters of Unicode or those of ASCII only.
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

    /** What stands for left-out text. */
    public String ellipsis() {
        return choose("…", "...");
    }
}
