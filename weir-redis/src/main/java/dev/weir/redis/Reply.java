package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.store.Claim;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What the script answers. One entry is for so many asks one after the other: how many (4 bytes), allowed (1), claim and limit
 * that bound (2 each), remaining after the first, by how much that falls with each, wait, retry, reset, the time (8 each),
 * the handle's length (2) and the handle. Times are microseconds, -1 is never.
 */
final class Reply {
    private static final byte[] NO_HANDLE = {};

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
            for (Ask ask : group) {
                answers.add(reply.next(ask.claims()));
            }
        }
        return answers;
    }

    private Answer next(List<Claim> claims) {
        if (count == 0) {
            read();
        }
        Limit bound = claims.get(claim).limits().list().get(limit);
        Decision decision = new Decision(allowed, bound, remaining, waitNanos, retryAfterNanos, resetAfterNanos, false);
        count--;
        remaining -= step;
        return new Answer(decision, nowMicros, handle);
    }

    private void read() {
        count = packed.getInt();
        allowed = packed.get() == 1;
        claim = packed.getShort() - 1;
        limit = packed.getShort() - 1;
        remaining = packed.getLong();
        step = packed.getLong();
        waitNanos = nanos(packed.getLong());
        retryAfterNanos = nanos(packed.getLong());
        resetAfterNanos = nanos(packed.getLong());
        nowMicros = packed.getLong();
        int length = packed.getShort();
        handle = length == 0 ? NO_HANDLE : new byte[length];
        packed.get(handle);
    }

    private static long nanos(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros * 1000;
    }
}
