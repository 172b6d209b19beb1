package dev.weir.benchmarks.report;

/** Which way is the good one. */
public enum Better {
    /** Less is better. */
    LOWER("lower", ""),
    /** More is better. */
    HIGHER("higher", "≥ ");

    private final String word;
    private final String sign;

    Better(String word, String sign) {
        this.word = word;
        this.sign = sign;
    }

    /** As it stands in the JSON. */
    String word() {
        return word;
    }

    /** What stands before a bound; nothing before one that is not to be passed. */
    String sign() {
        return sign;
    }

    /** Whether a ratio is within a bound, or so little beyond it that it is not seen. */
    boolean reached(double ratio, double bound, double tolerance) {
        return this == LOWER ? ratio <= bound + tolerance : ratio >= bound - tolerance;
    }
}
