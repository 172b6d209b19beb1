package dev.weir.stress.races;

/**
 * What a race or model showed.
 *
 * @param test the name of the race, or the class of the model
 * @param outcome whether it held
 * @param detail what was seen
 */
public record Finding(String test, Outcome outcome, String detail) {
    private static final String MARK = "finding\t";

    /** How a run ended. */
    public enum Outcome {
        /** Nothing wrong was seen. */
        HELD,
        /** Something was seen that must not be, or a thread threw. */
        BROKEN,
        /** Threads did not end. */
        HUNG,
        /** It could not be run, so nothing is known. */
        FAILED
    }

    String line() {
        return MARK + test + "\t" + outcome + "\t"
                + detail.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", " ");
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK);
    }

    static Finding of(String line) {
        String[] parts = line.split("\t", 4);
        return new Finding(parts[1], Outcome.valueOf(parts[2]), parts[3].translateEscapes());
    }
}
