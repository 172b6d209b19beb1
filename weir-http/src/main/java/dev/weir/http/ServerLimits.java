package dev.weir.http;

import java.time.Duration;

/**
 * What a response says of the limits of its server: the strictest where it says several things.
 *
 * @param retryAfter for how long the server refuses calls; zero if it does not
 * @param remaining the calls that remain; {@link Long#MAX_VALUE} if the response does not say
 * @param reset until when that holds, from now; zero if the response does not say
 */
record ServerLimits(Duration retryAfter, long remaining, Duration reset) {
    static final ServerLimits NONE = new ServerLimits(Duration.ZERO, Long.MAX_VALUE, Duration.ZERO);

    /** Returns the longer wait of both, and the fewer remaining calls; if they are equal, until the later reset. */
    ServerLimits and(ServerLimits other) {
        Duration resetOfBoth = remaining < other.remaining
                ? reset
                : remaining > other.remaining ? other.reset : longer(reset, other.reset);
        return new ServerLimits(
                longer(retryAfter, other.retryAfter), Math.min(remaining, other.remaining), resetOfBoth);
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
