package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.store.Claim;
import java.util.List;

/** What the script answers to one request: numbers, times in microseconds, and what the booking is found by. */
final class Reply {
    private static final int ALLOWED = 0;
    private static final int CLAIM = 1;
    private static final int LIMIT = 2;
    private static final int REMAINING = 3;
    private static final int WAIT = 4;
    private static final int RETRY = 5;
    private static final int RESET = 6;
    private static final int HANDLES = 7;

    private Reply() {}

    static Decision decision(List<Object> reply, List<Claim> claims) {
        Claim claim = claims.get((int) number(reply, CLAIM) - 1);
        Limit limit = claim.limits().list().get((int) number(reply, LIMIT) - 1);
        return new Decision(
                number(reply, ALLOWED) == 1,
                limit,
                number(reply, REMAINING),
                nanos(number(reply, WAIT)),
                nanos(number(reply, RETRY)),
                nanos(number(reply, RESET)),
                false);
    }

    /** What gives the booking back; empty of a denial. */
    static byte[] handles(List<Object> reply) {
        return (byte[]) reply.get(HANDLES);
    }

    private static long number(List<Object> reply, int i) {
        return (Long) reply.get(i);
    }

    private static long nanos(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros * 1000;
    }
}
