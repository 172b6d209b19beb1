package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Limits as the scripts read them: for each its permits, tick and flags; its kind, window and name, which identify its state; and
 * its burst. A number takes 7 bytes; times are microseconds, rounded up.
 */
final class PackedLimits {
    /** The longest block, more than a century, in microseconds that the scripts can count to. */
    static final long LONGEST_BLOCK = 1L << 52;

    /** The largest number up to which Lua counts without gaps. */
    static final long MOST = 1L << 53;

    private static final int NANOS = 1000; // a microsecond
    private static final int ROOM = 3 + 64 + 4 * 7;

    /* A limiter uses the same object each time. Races are benign: a lost entry is packed again. */
    private static final AtomicReferenceArray<@Nullable Known> KNOWN = new AtomicReferenceArray<>(64);

    private PackedLimits() {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Known(Limits limits, byte[] packed) {}

    /**
     * Packs limits. The result must not be changed.
     *
     * @throws IllegalArgumentException if the scripts cannot count to the numbers of a limit
     */
    @SuppressWarnings("ReferenceEquality") // a faster lookup; equal ones are packed alike
    static byte[] of(Limits limits) {
        int place = System.identityHashCode(limits) % KNOWN.length();
        Known known = KNOWN.get(place);
        if (known == null || known.limits != limits) {
            known = new Known(limits, packed(limits));
            KNOWN.set(place, known);
        }
        return known.packed;
    }

    private static byte[] packed(Limits limits) {
        ByteBuffer packed = ByteBuffer.allocate(limits.list().size() * ROOM);
        for (int i = 0; i < limits.list().size(); i++) {
            put(packed, limits.nameOf(i), limits.list().get(i));
        }
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return bytes;
    }

    private static void put(ByteBuffer packed, String name, Limit limit) {
        if (limit instanceof Limit.SlidingLog log) {
            boolean attempts = log.count() == Limit.SlidingLog.Count.ATTEMPTS;
            long window = micros(log.windowNanos()) + micros(log.marginNanos());
            put(packed, 1, name, limit, window, micros(log.resolutionNanos()), 0, attempts ? 1 : 0);
        } else if (limit instanceof Limit.SlidingWindow window) {
            boolean classic = window.estimate() == Limit.SlidingWindow.Estimate.CLASSIC;
            long tick = micros(window.bucketNanos());
            put(packed, 2, name, limit, micros(window.windowNanos()), tick, 0, classic ? 2 : 0);
        } else if (limit instanceof Limit.FixedWindow window) {
            boolean first = window.align() == Limit.FixedWindow.Align.FIRST;
            put(packed, 3, name, limit, micros(window.windowNanos()), 1, 0, first ? 4 : 0);
        } else if (limit instanceof Limit.TokenBucket bucket) {
            put(packed, 4, name, limit, micros(bucket.windowNanos()), 1, bucket.burst(), 0);
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            put(packed, 5, name, limit, micros(bucket.windowNanos()), 1, bucket.capacity(), 8);
        } else if (limit instanceof Limit.Gcra gcra) {
            put(packed, 6, name, limit, micros(gcra.windowNanos()), 1, gcra.burst(), 0);
        } else if (limit instanceof Limit.Unlimited) {
            put(packed, 7, name, MOST, micros(limit.windowNanos()), 1, 0, 0);
        } else {
            throw new IllegalArgumentException("limit must be of an algorithm that Redis supports, was " + limit);
        }
    }

    private static void put(
            ByteBuffer packed, int kind, String name, Limit limit, long window, long tick, long burst, int flags) {
        if (limit.permits() >= MOST
                || window >= MOST / 4
                || overflows(burst, limit.permits())
                || overflows(burst, window / limit.permits() + 1)) {
            throw new IllegalArgumentException(
                    "limit must not be too large for Redis, whose scripts count to 2^53, was " + limit);
        }
        put(packed, kind, name, limit.permits(), window, tick, burst, flags);
    }

    private static void put(
            ByteBuffer packed, int kind, String name, long permits, long window, long tick, long burst, int flags) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        put(packed, permits);
        put(packed, tick);
        packed.put((byte) flags).put((byte) kind);
        put(packed, window);
        packed.put((byte) text.length).put(text);
        put(packed, burst);
    }

    /** Puts a number into 7 bytes. */
    static void put(ByteBuffer packed, long number) {
        packed.put((byte) (number >> 48)).putShort((short) (number >> 32)).putInt((int) number);
    }

    private static boolean overflows(long burst, long other) {
        return Math.multiplyHigh(burst, other) != 0 || burst * other < 0 || burst * other >= MOST / 4;
    }

    static long micros(long nanos) {
        return nanos / NANOS + (nanos % NANOS == 0 ? 0 : 1);
    }
}
