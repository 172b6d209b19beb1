package dev.weir.cli.terminal;

/** How a piece of text looks on a terminal that shows colours; elsewhere all looks are the same. */
public enum Look {
    /** As it comes. */
    PLAIN(""),
    /** Headings and what to look at first. */
    BOLD("1"),
    /** Of little importance. */
    DIM("2"),
    /** A failure or a broken limit. */
    RED("31"),
    /** A limit that holds. */
    GREEN("32"),
    /** Progress. */
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
