package dev.weir.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The failure to use a log, such as an unknown format or damaged gzip data. The message is one line for the user who chose the
 * log and the options.
 */
public final class LogException extends IOException {
    private static final long serialVersionUID = 1L;

    LogException(String message) {
        super(message);
    }

    LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
