package dev.weir.benchmarks.report;

import org.jspecify.annotations.Nullable;

/** Something could not be measured, or something else was measured than its name says. */
public final class FailedMeasureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Says what, and why. */
    public FailedMeasureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
