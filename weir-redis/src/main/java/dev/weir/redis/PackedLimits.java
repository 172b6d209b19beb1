package dev.weir.redis;

import dev.weir.Accounting;
import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Limits as the scripts read them, see limit.lua. The prefix that identifies a state has a hash of the name, the last 3 bytes of its
 * CRC-32, so that all are of one length. A number takes 7 bytes; times are microseconds, rounded up.
 */
final class PackedLimits {
    /** The longest block, more than a century, in microseconds that the scripts can count to. */
    static final long LONGEST_BLOCK = 1L << 52;

    /** The largest number up to which Lua counts without gaps. */
    static final long MOST = 1L << 53;

    /** The bound on windows: less than the time since the epoch, at which the newest run of an empty log is. */
    private static final long MOST_WINDOW = MOST / 6;

    private static final byte FORMAT = 5; // of the state
    private static final int NANOS = 1000; // a microsecond
    private static final byte ATTEMPTS = 8; // in the kind of a prefix
    private static final int LENGTH = 43; // of a limit
    private static final int PREFIX = 13; // at its end

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
        int size = limits.list().size();
        ByteBuffer packed = ByteBuffer.allocate(1 + size * LENGTH).put((byte) size);
        Map<Integer, String> names = new HashMap<>();
        for (int i = 0; i < size; i++) {
            String name = limits.nameOf(i);
            int hash = hash(name);
            String other = names.put(hash, name);
            if (other != null) {
                throw new IllegalArgumentException("names of limits must not have the same hash on Redis, '" + other
                        + "' and '" + name + "' have: rename one");
            }
            put(packed, hash, limits.list().get(i));
        }
        return packed.array();
    }

    private static int hash(String name) {
        CRC32 crc = new CRC32();
        crc.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue() & 0xFF_FFFF;
    }

    private static void put(ByteBuffer packed, int name, Limit limit) {
        Accounting accounting = limit.accounting();
        long window = micros(limit.windowNanos()) + micros(accounting.windowNanos() - limit.windowNanos());
        long burst = accounting.burst();
        boolean counted = accounting.method() != Method.NOTHING;
        boolean attempts = accounting.method() == Method.LOG_OF_ATTEMPTS; // denied requests count beyond the permits
        if (counted
                && (limit.permits() >= (attempts ? MOST / 2 : MOST)
                        || window >= MOST_WINDOW
                        || overflows(burst, limit.permits())
                        || overflows(burst, window / limit.permits() + 1))) {
            throw new IllegalArgumentException(
                    "limit must not be too large for Redis, whose scripts count to 2^53, was " + limit);
        }
        byte kind = kind(accounting.method());
        packed.put(kind);
        put(packed, window);
        put(packed, counted ? limit.permits() : MOST);
        put(packed, micros(accounting.tickNanos()));
        packed.put(flags(accounting.method()));
        put(packed, burst > 0 ? burst : limit.permits()); // the most permits of a request
        packed.put(FORMAT).put((byte) (attempts ? kind | ATTEMPTS : kind));
        put(packed, window);
        packed.put((byte) (name >> 16)).putShort((short) name).put(checksum(packed));
    }

    /** Returns a number that differs if one byte of the prefix before it does. */
    private static byte checksum(ByteBuffer packed) {
        int sum = 0;
        for (int at = packed.position() - (PREFIX - 1); at < packed.position(); at++) {
            sum = 31 * sum + Byte.toUnsignedInt(packed.get(at));
        }
        return (byte) sum;
    }

    /** Returns the algorithm, which separates its state from that of others; see limit.lua. */
    private static byte kind(Method method) {
        return switch (method) {
            case LOG, LOG_OF_ATTEMPTS -> 1;
            case BUCKETS, CLASSIC_BUCKETS -> 2;
            case CLOCK_WINDOWS, FIRST_WINDOWS -> 3;
            case TOKENS -> 4;
            case QUEUE -> 5;
            case SPACING -> 6;
            case NOTHING -> 7;
        };
    }

    private static byte flags(Method method) {
        return switch (method) {
            case LOG_OF_ATTEMPTS -> 1;
            case CLASSIC_BUCKETS -> 2;
            case FIRST_WINDOWS -> 4;
            case QUEUE -> 8;
            default -> 0;
        };
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
