package dev.weir.cli.terminal;

/**
 * The size of a terminal.
 *
 * @param rows how many lines it shows; the largest int if the answer is not on a terminal
 * @param columns how many characters a line holds
 */
public record TerminalSize(int rows, int columns) {
    private static final int USUAL_COLUMNS = 80;
    private static final int FEWEST_COLUMNS = 20;
    private static final int MOST_COLUMNS = 1000;

    /**
     * Returns the size that texts give.
     *
     * @param reported rows and columns, as {@code stty size} prints them; empty if they are not known
     * @param given the columns that the user asks for; empty if the reported ones are used
     */
    static TerminalSize of(String reported, String given) {
        String[] both = reported.strip().split(" ", -1);
        int rows = number(both[0]);
        int columns = columns(given);
        columns = columns > 0 || both.length < 2 ? columns : columns(both[1]);
        return new TerminalSize(rows > 0 ? rows : Integer.MAX_VALUE, columns > 0 ? columns : USUAL_COLUMNS);
    }

    /** A sensible width, or 0 if the text is none. */
    static int columns(String text) {
        int columns = number(text);
        return columns <= 0 ? 0 : Math.min(MOST_COLUMNS, Math.max(FEWEST_COLUMNS, columns));
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
