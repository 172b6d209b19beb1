package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.store.Claim;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the script answers. One entry is for so many asks one after the other: its kind (1 byte), how many (4), and
 *
 * <ul>
 *   <li>admitted by the only limit, and nothing else to say: remaining after the first, reset, time (7 each), handle (15 bytes
 *       of a log, 57 of a bucket or GCRA); what remains falls by the permits of each
 *   <li>denied by it: remaining, reset, time (7 each), retry (8)
 *   <li>anything: allowed (1), claim and limit that bound (2 each), remaining after the first, by how much it falls with each,
 *       wait, retry, reset, time (8 each), length of the handle (2), handle
 * </ul>
 *
 * Times are microseconds, -1 is never.
 */
final class Reply {
    private static final byte[] NO_HANDLE = {};
    private static final int DENIED = 0;
    private static final int ADMITTED = 1;
    private static final int ADMITTED_BY_SCHEDULE = 3;
    private static final int REFUSED = 9;
    private static final int LOG_HANDLE = 15;
    private static final int SCHEDULE_HANDLE = 57;

    private final ByteBuffer packed;

    // of the present entry
    private int count;
    private boolean allowed;
    private int claim;
    private int limit;
    private long remaining;
    private long step;
    private long waitNanos;
    private long retryAfterNanos;
    private long resetAfterNanos;
    private long nowMicros;
    private byte[] handle = NO_HANDLE;

    private Reply(byte[] packed) {
        this.packed = ByteBuffer.wrap(packed);
    }

    /** The answer to each ask, in their order. */
    static List<Answer> answers(byte[] packed, List<? extends List<? extends Ask>> groups) {
        Reply reply = new Reply(packed);
        List<Answer> answers = new ArrayList<>();
        for (List<? extends Ask> group : groups) {
            String refusal = reply.refusal();
            for (Ask ask : group) {
                answers.add(refusal.isEmpty() ? reply.next(ask.claims()) : refused(ask, refusal));
            }
        }
        return answers;
    }

    /** Why the next group was not decided; empty if it was. */
    private String refusal() {
        if (packed.get(packed.position()) != REFUSED) {
            return "";
        }
        packed.position(packed.position() + 1 + Integer.BYTES);
        byte[] text = new byte[packed.getShort()];
        packed.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static Answer refused(Ask ask, String why) {
        Limit limit = ask.claims().get(0).limits().list().get(0);
        return new Answer(new Decision(false, limit, 0, 0, 0, 0, true), 0, NO_HANDLE, why);
    }

    private Answer next(List<Claim> claims) {
        if (count == 0) {
            read(claims.get(0).permits());
        }
        Limit bound = claims.get(claim).limits().list().get(limit);
        Decision decision = new Decision(allowed, bound, remaining, waitNanos, retryAfterNanos, resetAfterNanos, false);
        count--;
        remaining -= step;
        return new Answer(decision, nowMicros, handle, "");
    }

    private void read(long permits) {
        int kind = packed.get();
        count = packed.getInt();
        switch (kind) {
            case DENIED -> readPlain(false, 0, 0);
            case ADMITTED -> readPlain(true, permits, LOG_HANDLE);
            case ADMITTED_BY_SCHEDULE -> readPlain(true, permits, SCHEDULE_HANDLE);
            default -> readAny();
        }
    }

    private void readPlain(boolean admitted, long stepByPermits, int handleLength) {
        allowed = admitted;
        claim = 0;
        limit = 0;
        remaining = number();
        step = stepByPermits;
        waitNanos = 0;
        resetAfterNanos = nanos(number());
        nowMicros = number();
        retryAfterNanos = admitted ? 0 : nanos(packed.getLong());
        readHandle(handleLength);
    }

    private void readAny() {
        allowed = packed.get() == 1;
        claim = packed.getShort() - 1;
        limit = packed.getShort() - 1;
        remaining = packed.getLong();
        step = packed.getLong();
        waitNanos = nanos(packed.getLong());
        retryAfterNanos = nanos(packed.getLong());
        resetAfterNanos = nanos(packed.getLong());
        nowMicros = packed.getLong();
        readHandle(packed.getShort() & 0xFFFF);
    }

    private void readHandle(int length) {
        handle = length == 0 ? NO_HANDLE : new byte[length];
        packed.get(handle);
    }

    /** A number of 7 bytes. */
    private long number() {
        return ((long) packed.get() << 48) | ((packed.getShort() & 0xFFFFL) << 32) | (packed.getInt() & 0xFFFF_FFFFL);
    }

    private static long nanos(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros * 1000;
    }
}
