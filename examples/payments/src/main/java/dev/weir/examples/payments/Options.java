package dev.weir.examples.payments;

/**
 * The options of a command line.
 *
 * @param seconds the length of the phase that is measured
 * @param json whether to print JSON instead of a table
 * @param faults whether to kill one process and to pause another
 */
record Options(int seconds, boolean json, boolean faults) {
    static final String USAGE = "usage: run [--seconds N] [--json] [--faults]";
    private static final int SECONDS = 60;
    private static final int SHORTEST_WITH_FAULTS = 8;

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException if it cannot be read; its message is for the user
     */
    static Options parse(String... words) {
        int seconds = SECONDS;
        boolean json = false;
        boolean faults = false;
        for (int i = 0; i < words.length; i++) {
            switch (words[i]) {
                case "--seconds" -> seconds = seconds(i + 1 < words.length ? words[++i] : "");
                case "--json" -> json = true;
                case "--faults" -> faults = true;
                default -> throw new IllegalArgumentException("unknown option '" + words[i] + "'; " + USAGE);
            }
        }
        if (faults && seconds < SHORTEST_WITH_FAULTS) {
            throw new IllegalArgumentException("--faults needs --seconds " + SHORTEST_WITH_FAULTS + " or more");
        }
        return new Options(seconds, json, faults);
    }

    private static int seconds(String text) {
        if (!text.matches("[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException("--seconds must be a number from 1 to 99999, was '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
