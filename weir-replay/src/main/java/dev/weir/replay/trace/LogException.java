package dev.weir.replay.trace;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The failure to use a log, such as an unknown format or damaged gzip data. The message is one line for the user who chose the
 * log and the options.
 */
public final class LogException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message one line for the user
     */
    public LogException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message one line for the user
     * @param cause the failure that led to this one; null if there is none
     */
    public LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
