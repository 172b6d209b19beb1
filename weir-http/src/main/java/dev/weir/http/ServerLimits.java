package dev.weir.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a response says of the limits of its server.
 *
 * @param retryAfter for how long the server refuses calls; zero if it does not
 * @param exhaustedFor for how long no call remains; zero if some do, or if the response does not say
 * @param quotas what remains and until when, the latest reset first; of each two, the one with the earlier reset has fewer remaining calls
 */
record ServerLimits(Duration retryAfter, Duration exhaustedFor, List<Quota> quotas) {
    static final ServerLimits NONE = new ServerLimits(Duration.ZERO, Duration.ZERO, List.of());

    /** Headers have whole seconds. */
    static final long RESOLUTION_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The reset of a quota if the response does not say it. */
    static final Duration UNKNOWN = Duration.ofSeconds(Long.MAX_VALUE);

    private static final int MOST_QUOTAS = 8;

    /**
     * A number of calls that remain.
     *
     * @param remaining the calls
     * @param reset how long from now that holds, a second or longer, or {@link #UNKNOWN}
     */
    record Quota(long remaining, Duration reset) {}

    static ServerLimits of(long remaining, Duration reset) {
        boolean exhausted = remaining == 0 && !reset.equals(UNKNOWN);
        return new ServerLimits(Duration.ZERO, exhausted ? reset : Duration.ZERO, List.of(new Quota(remaining, reset)));
    }

    /** Returns what both say: the longer times, and each quota that is not implied by a stricter one. */
    ServerLimits and(ServerLimits other) {
        List<Quota> all = new ArrayList<>(quotas);
        all.addAll(other.quotas);
        all.sort(Comparator.comparing(Quota::reset).reversed().thenComparing(Quota::remaining));
        List<Quota> strict = new ArrayList<>();
        for (Quota quota : all) {
            if (strict.isEmpty() || quota.remaining < strict.get(strict.size() - 1).remaining) {
                strict.add(quota);
            }
        }
        int dropped = Math.max(0, strict.size() - MOST_QUOTAS);
        return new ServerLimits(
                longer(retryAfter, other.retryAfter),
                longer(exhaustedFor, other.exhaustedFor),
                List.copyOf(strict.subList(dropped, strict.size())));
    }

    /** Returns the fewest calls that remain; {@link Long#MAX_VALUE} if the response does not say. */
    long remaining() {
        return quotas.isEmpty() ? Long.MAX_VALUE : quotas.get(quotas.size() - 1).remaining;
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
