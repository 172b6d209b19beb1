package dev.weir.spring.aop;

import java.util.List;

/** Thrown when a bean is created whose {@link dev.weir.spring.RateLimited} annotations are invalid. */
final class InvalidRateLimitedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param problems each with the method that it is about
     */
    InvalidRateLimitedException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
