package dev.weir.http;

import java.time.Duration;

/**
 * What a response says of the limits of its server: the strictest where it says several things.
 *
 * @param block for how long no call must be made; zero if calls may be made
 * @param remaining the calls that remain; {@link Long#MAX_VALUE} if the response does not say
 */
record ServerLimits(Duration block, long remaining) {
    static final ServerLimits NONE = new ServerLimits(Duration.ZERO, Long.MAX_VALUE);

    /** Returns the stricter of both in each respect. */
    ServerLimits and(ServerLimits other) {
        return new ServerLimits(
                block.compareTo(other.block) >= 0 ? block : other.block, Math.min(remaining, other.remaining));
    }
}
