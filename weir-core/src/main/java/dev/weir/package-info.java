/** The limiter, its limits and its decisions. Start with {@link dev.weir.RateLimiter}. */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
