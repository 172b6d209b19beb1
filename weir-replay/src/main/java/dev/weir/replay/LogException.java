package dev.weir.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A log that cannot be used; the message is one line for the person who gave it, and says what to do. */
public final class LogException extends IOException {
    private static final long serialVersionUID = 1L;

    LogException(String message) {
        super(message);
    }

    LogException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
