package dev.weir.stress.soak;

import dev.weir.Limit;

/**
 * A request that one limit denied.
 *
 * @param log the limit's log of that key
 * @param start the clock's reading in the call
 * @param end when the call had returned
 */
record Denial(KeyLog log, Limit limit, int permits, long start, long end) {}
