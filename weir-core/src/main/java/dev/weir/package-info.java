/** Rate limiting: a {@link dev.weir.RateLimiter} decides by {@link dev.weir.Limit}s and answers with a {@link dev.weir.Decision}. */
@NullMarked
package dev.weir;

import org.jspecify.annotations.NullMarked;
