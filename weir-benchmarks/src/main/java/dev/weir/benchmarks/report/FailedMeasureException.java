package dev.weir.benchmarks.report;

import org.jspecify.annotations.Nullable;

/** A measurement that failed, or that measured something other than its scenario. */
public final class FailedMeasureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception with a message for the user. */
    public FailedMeasureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
