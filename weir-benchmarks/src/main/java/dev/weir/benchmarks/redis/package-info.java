/** What limiters do that keep their state on a Redis server. */
@NullMarked
package dev.weir.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
