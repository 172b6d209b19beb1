package dev.weir.http;

import dev.weir.Limit;
import dev.weir.internal.OccasionalLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The settings of an {@code OutboundLimiter} and what it remembers of its keys. Thread-safe. */
final class OutboundState {
    private static final int MAX_CLOCKS = 1_024;
    private static final long WITHOUT_MARGIN_NANOS = Duration.ofMillis(100).toNanos();

    final Settings settings;
    final OutboundBlocks blocks = new OutboundBlocks();
    final OccasionalLog log = new OccasionalLog("dev.weir.http");
    final OccasionalLog headerLog = new OccasionalLog("dev.weir.http"); // a server may send a malformed header always
    final LongAdder latePermits = new LongAdder();
    private final Map<List<OutboundKey>, StoreClock> clocks = new ConcurrentHashMap<>(); // a cluster has several

    /**
     * The settings, as in the builder.
     *
     * @param useWithin null for half of the smallest margin of the limits of a call's keys
     * @param countTwiceAfter null if no call counts twice
     */
    record Settings(
            Duration maxWait,
            @Nullable Duration useWithin,
            @Nullable Duration countTwiceAfter,
            Duration maxBlock,
            boolean rateLimitHeaders) {}

    OutboundState(Settings settings) {
        this.settings = settings;
    }

    /** Returns the greatest age at which a permit of the keys is used, in nanoseconds. */
    long useWithinNanos(List<OutboundKey> keys) {
        if (settings.useWithin != null) {
            return settings.useWithin.toNanos();
        }
        long least = Long.MAX_VALUE;
        for (OutboundKey key : keys) {
            for (Limit limit : key.limits()) {
                if (limit instanceof Limit.SlidingLog exact && !exact.margin().isZero()) {
                    least = Math.min(least, exact.margin().toNanos() / 2);
                }
            }
        }
        return least == Long.MAX_VALUE ? WITHOUT_MARGIN_NANOS : least;
    }

    /** Returns whether a call whose permit was due that long ago counts twice. */
    boolean countsTwice(long ageNanos) {
        return settings.countTwiceAfter != null && ageNanos > settings.countTwiceAfter.toNanos();
    }

    /** Returns the clock that decides on the keys. It learns again after more of them than are remembered. */
    StoreClock clock(List<OutboundKey> keys) {
        if (clocks.size() > MAX_CLOCKS) {
            clocks.clear();
        }
        return clocks.computeIfAbsent(keys, first -> new StoreClock());
    }
}
