package dev.weir.redis;

import dev.weir.store.Claim;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests as the script reads them: the time, a byte that says whether to look only, groups. Those on the same keys and limits
 * are a group, in order of arrival; equal ones that follow each other are packed as one with its count. A group: how many
 * claims and kinds of request it has (2 and 4 bytes); for each kind the count (4), the patience in microseconds (7), and the
 * permits of each claim (7).
 */
final class PackedAsks {
    private static final byte[] FIRST = {'1'};
    private static final byte[] NOT_FIRST = {'0'};

    /** The time that all arguments begin with: the server's. */
    static final byte[] SERVER_TIME = {0};

    private PackedAsks() {}

    /** A time of the caller's, for tests. */
    static byte[] time(long micros) {
        return ByteBuffer.allocate(1 + Long.BYTES).put((byte) 1).putLong(micros).array();
    }

    /** The arguments that ask for decisions, or if {@code look} what they would be. */
    static byte[][] of(byte[] time, List<? extends List<? extends Ask>> groups, boolean look) {
        List<byte[]> values = new ArrayList<>(4);
        values.add(packed(time, groups, look));
        for (List<? extends Ask> group : groups) {
            for (Claim claim : group.get(0).claims()) {
                values.add(PackedLimits.of(claim.limits()));
            }
        }
        return values.toArray(byte[][]::new);
    }

    /** The arguments that give back so many permits of each claim of a booking; at most once {@code first}. */
    static byte[][] giveBack(byte[] time, List<Claim> claims, List<Long> permits, byte[] handle, boolean first) {
        ByteBuffer packed = ByteBuffer.allocate(7 * permits.size());
        permits.forEach(each -> put(packed, each));
        List<byte[]> values = new ArrayList<>(List.of(time, packed.array(), first ? FIRST : NOT_FIRST, handle));
        claims.forEach(claim -> values.add(PackedLimits.of(claim.limits())));
        return values.toArray(byte[][]::new);
    }

    private static byte[] packed(byte[] time, List<? extends List<? extends Ask>> groups, boolean look) {
        int room = time.length + 1;
        for (List<? extends Ask> group : groups) {
            room += 6 + group.size() * (11 + 7 * group.get(0).claims().size());
        }
        ByteBuffer packed = ByteBuffer.allocate(room);
        packed.put(time).put((byte) (look ? 1 : 0));
        groups.forEach(group -> put(packed, group));
        byte[] bytes = new byte[packed.position()];
        packed.flip().get(bytes);
        return bytes;
    }

    private static void put(ByteBuffer packed, List<? extends Ask> group) {
        packed.putShort((short) group.get(0).claims().size());
        int kindsAt = packed.position();
        packed.putInt(0);
        int kinds = 0;
        for (int i = 0; i < group.size(); kinds++) {
            Ask ask = group.get(i);
            int from = i;
            do {
                i++;
            } while (i < group.size() && alike(ask, group.get(i)));
            packed.putInt(i - from);
            put(packed, ask.maxWaitNanos() / 1000);
            for (Claim claim : ask.claims()) {
                put(packed, claim.permits());
            }
        }
        packed.putInt(kindsAt, kinds);
    }

    private static boolean alike(Ask one, Ask other) {
        boolean alike = one.maxWaitNanos() == other.maxWaitNanos();
        for (int i = 0; alike && i < one.claims().size(); i++) {
            alike = one.claims().get(i).permits() == other.claims().get(i).permits();
        }
        return alike;
    }

    /** Seven bytes; what the server's numbers do not reach is no more than the most they do. */
    private static void put(ByteBuffer packed, long number) {
        PackedLimits.put(packed, Math.min(number, PackedLimits.MOST));
    }
}
