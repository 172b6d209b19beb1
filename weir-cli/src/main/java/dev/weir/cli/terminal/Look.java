package dev.weir.cli.terminal;

/** How a piece of text looks on a terminal that shows colours; elsewhere all looks are the same. */
public enum Look {
    /** As it comes. */
    PLAIN(""),
    /** Headings and what to look at first. */
    BOLD("1"),
    /** What may be overlooked. */
    DIM("2"),
    /** What went wrong. */
    RED("31"),
    /** What is as it should be. */
    GREEN("32"),
    /** What moves. */
    CYAN("36");

    private final String code;

    Look(String code) {
        this.code = code;
    }

    String on() {
        return "\u001b[" + code + "m";
    }

    static String off() {
        return "\u001b[0m";
    }
}
