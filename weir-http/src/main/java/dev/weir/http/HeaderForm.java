package dev.weir.http;

/** The names and forms of response headers that report limits. {@code Retry-After} belongs to each of them. */
public enum HeaderForm {
    /**
     * {@code RateLimit-Policy} and {@code RateLimit} as lists of every limit, by draft-ietf-httpapi-ratelimit-headers-11. Example:
     * {@code RateLimit-Policy: "api";q=100;w=60} and {@code RateLimit: "api";r=50;t=30}.
     */
    RATE_LIMIT,

    /**
     * {@code RateLimit-Limit}, {@code RateLimit-Remaining} and {@code RateLimit-Reset} of the most restrictive limit, by earlier
     * drafts; the last in seconds from now.
     */
    RATE_LIMIT_SEPARATE,

    /** {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and {@code X-RateLimit-Reset}, as many APIs use them; seconds from now. */
    X_RATE_LIMIT
}
