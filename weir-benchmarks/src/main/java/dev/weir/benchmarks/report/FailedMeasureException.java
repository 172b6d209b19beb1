package dev.weir.benchmarks.report;

import java.util.concurrent.Callable;

/** A measurement that failed, or that measured something other than its scenario. */
public final class FailedMeasureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception with a message for the user. */
    public FailedMeasureException(String message) {
        super(message);
    }

    /** Creates an exception with a message for the user and its cause. */
    public FailedMeasureException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A part of a measurement. */
    public interface Part {
        void run() throws Exception;
    }

    /** Runs a part. Its failures are reported with its name, in one line. */
    public static void attempt(String what, Part part) {
        boolean unused = result(what, () -> {
            part.run();
            return true;
        });
    }

    /** Returns the result of a part. Its failures are reported with its name, in one line. */
    public static <T> T result(String what, Callable<T> part) {
        try {
            return part.call();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new FailedMeasureException(what + ": interrupted", interrupted);
        } catch (Exception failure) {
            String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            throw new FailedMeasureException(
                    what + ": " + message.lines().findFirst().orElse(""), failure);
        }
    }
}
