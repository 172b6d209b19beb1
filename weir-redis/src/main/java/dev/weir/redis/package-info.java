/** Weir's state on Redis: exact across a cluster, one round trip a decision. */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
