package dev.weir.spring.aop;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown when a bean is created whose {@link dev.weir.spring.RateLimited} annotations are invalid. */
final class InvalidRateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param problems each with the method that it is about
     */
    InvalidRateLimitedException(List<String> problems) {
        this(problems, null);
    }

    /** Creates an exception with the failure that shows the problems; null if there is none. */
    InvalidRateLimitedException(List<String> problems, @Nullable Throwable cause) {
        super(String.join("\n", problems), cause);
    }
}
