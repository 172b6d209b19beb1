package dev.weir.cli.terminal;

/**
 * The area that an answer is drawn on.
 *
 * @param columns how wide it should be at most
 * @param cuts whether what is wider is cut, as on a terminal; a file keeps all of it
 * @param ink what it is drawn with
 */
public record Page(int columns, boolean cuts, Ink ink) {

    /** The same, but it does not cut. */
    public Page uncut() {
        return new Page(columns, false, ink);
    }

    /** The text, cut to a width if this page cuts. */
    public String clip(String text, int width) {
        return cuts ? Text.clip(text, width, ink.ellipsis()) : text;
    }
}
