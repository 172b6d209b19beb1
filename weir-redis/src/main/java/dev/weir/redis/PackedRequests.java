package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.Request;
import dev.weir.internal.Fits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests as request.lua reads them, behind the options of clock.lua. Joint requests on the same keys and limits are a group, in
 * order of arrival. Equal limits are one argument.
 */
final class PackedRequests {
    private static final byte[] FIRST = {'1'};
    private static final byte[] NOT_FIRST = {'0'};
    private static final int PEEK = 1;
    private static final int WITH_TIME = 2;
    private static final long MAX_WAIT_MICROS = (1L << 61) / 1_000; // 73 years, as in memory: instants stay below 2^53
    private static final long MAX_TIME_MICROS = 1L << 52; // the year 2112
    private static final int FIRST_LIMITS = 2; // arguments are counted from 1, and the requests are the first

    /** The options and time with which all arguments begin if scripts use the server's clock. */
    static final byte[] SERVER_TIME = {0};

    private PackedRequests() {}

    /**
     * Returns options with a time that scripts use instead of the server's, in microseconds.
     *
     * @throws IllegalArgumentException if the scripts cannot count from or to it
     */
    static byte[] time(long micros) {
        if (micros < 0 || micros > MAX_TIME_MICROS) {
            throw new IllegalArgumentException(
                    "time must be from 0 to " + MAX_TIME_MICROS + " microseconds on Redis, was " + micros);
        }
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put((byte) WITH_TIME)
                .putLong(micros)
                .array();
    }

    /** Returns the arguments of a script that decides, or that returns what it would decide if {@code peek}. */
    static byte[][] of(byte[] time, List<? extends List<? extends JointRequest>> groups, boolean peek) {
        List<List<Request>> limited = new ArrayList<>(4); // requests whose limits differ
        byte[] requests = packed(time, groups, limited, peek);
        byte[][] values = new byte[1 + limited.size()][];
        values[0] = requests;
        for (int i = 0; i < limited.size(); i++) {
            values[i + 1] = limits(limited.get(i));
        }
        return values;
    }

    /** Returns the arguments that refund permits of each request of a reservation; those of a schedule only if {@code first}. */
    static byte[][] refund(byte[] time, List<Request> requests, List<Long> permits, byte[] handle, boolean first) {
        ByteBuffer packed = ByteBuffer.allocate(7 * permits.size());
        permits.forEach(each -> put(packed, each));
        List<byte[]> values = new ArrayList<>(List.of(time, packed.array(), first ? FIRST : NOT_FIRST, handle));
        requests.forEach(request -> values.add(PackedLimits.of(request.limits())));
        return values.toArray(byte[][]::new);
    }

    /** Returns the arguments that describe a key, as inspect.lua reads them. */
    static byte[][] inspect(byte[] time, Request request, int maxRuns) {
        ByteBuffer packed =
                ByteBuffer.allocate(Integer.BYTES + request.limits().list().size() * (1 + 4 * 7));
        packed.putInt(maxRuns);
        for (Limit limit : request.limits().list()) {
            long[] fits = Fits.of(limit);
            packed.put((byte) fits.length);
            for (long permits : fits) {
                put(packed, permits);
            }
        }
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return new byte[][] {time, PackedLimits.of(request.limits()), bytes};
    }

    private static byte[] limits(List<Request> requests) {
        if (requests.size() == 1) {
            return PackedLimits.of(requests.get(0).limits());
        }
        ByteArrayOutputStream limits = new ByteArrayOutputStream();
        requests.forEach(request -> limits.writeBytes(PackedLimits.of(request.limits())));
        return limits.toByteArray();
    }

    /** Packs requests. Adds those with other limits to a list. */
    private static byte[] packed(
            byte[] time,
            List<? extends List<? extends JointRequest>> groups,
            List<List<Request>> limited,
            boolean peek) {
        int room = time.length;
        for (List<? extends JointRequest> group : groups) {
            int size = group.get(0).requests().size();
            room += 8 + group.size() * (11 + 7 * size);
        }
        ByteBuffer packed = ByteBuffer.allocate(room);
        packed.put(time).put(0, (byte) (time[0] + (peek ? PEEK : 0)));
        int latest = -1;
        for (List<? extends JointRequest> group : groups) {
            latest = putGroup(packed, group, limited, latest);
        }
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return bytes;
    }

    /** Puts a group, or counts it if it is equal to the one at {@code latest}. Returns where it is. */
    private static int putGroup(
            ByteBuffer packed, List<? extends JointRequest> group, List<List<Request>> limited, int latest) {
        int from = packed.position();
        packed.putShort((short) 1);
        put(packed, group, limited);
        int length = packed.position() - from - Short.BYTES;
        boolean equal = latest >= 0
                && packed.slice(latest + Short.BYTES, length).equals(packed.slice(from + Short.BYTES, length));
        if (equal) {
            packed.putShort(latest, (short) (packed.getShort(latest) + 1));
            packed.position(from);
        }
        return equal ? latest : from;
    }

    private static void put(ByteBuffer packed, List<? extends JointRequest> group, List<List<Request>> limited) {
        int kindsAt = packed.position();
        packed.putInt(0);
        packed.putShort((short) (FIRST_LIMITS + position(group.get(0).requests(), limited)));
        int kinds = 0;
        for (int i = 0; i < group.size(); kinds++) {
            JointRequest joint = group.get(i);
            int from = i;
            do {
                i++;
            } while (i < group.size() && joint.equalTo(group.get(i)));
            packed.putInt(i - from);
            put(packed, Math.min(MAX_WAIT_MICROS, joint.maxWaitNanos() / 1_000));
            for (Request request : joint.requests()) {
                put(packed, request.permits());
            }
        }
        packed.putInt(kindsAt, kinds);
    }

    /** Returns the position of the limits of requests in a list, to which they are added if they are not there. */
    private static int position(List<Request> requests, List<List<Request>> limited) {
        for (int i = 0; i < limited.size(); i++) {
            if (haveEqualLimits(requests, limited.get(i))) {
                return i;
            }
        }
        limited.add(requests);
        return limited.size() - 1;
    }

    private static boolean haveEqualLimits(List<Request> some, List<Request> others) {
        boolean equal = some.size() == others.size();
        for (int i = 0; equal && i < some.size(); i++) {
            equal = some.get(i).limits().equals(others.get(i).limits());
        }
        return equal;
    }

    /** Puts a number into 7 bytes; larger ones than the server can count to become the largest. */
    private static void put(ByteBuffer packed, long number) {
        PackedLimits.put(packed, Math.min(number, PackedLimits.MOST));
    }
}
