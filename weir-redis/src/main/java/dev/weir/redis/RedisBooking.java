package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A booking on the server, which is found there by what the script answered. */
final class RedisBooking implements Booking {
    private static final int NANOS = 1000; // a microsecond

    private final RedisStore store;
    private final List<Claim> claims;
    private final Answer answer;
    private final AtomicBoolean used = new AtomicBoolean();

    RedisBooking(RedisStore store, List<Claim> claims, Answer answer) {
        this.store = store;
        this.claims = claims;
        this.answer = answer;
    }

    @Override
    public Decision decision() {
        return answer.decision();
    }

    /** The instant that was booked, on the server's clock. */
    long instantMicros() {
        return answer.nowMicros() + decision().waitNanos() / NANOS;
    }

    @Override
    public void giveBack(long permits) {
        giveBack(claims.stream().map(claim -> permits).toList());
    }

    @Override
    public void giveBackRest(long before) {
        giveBack(claims.stream().map(claim -> claim.permits() - before).toList());
    }

    private void giveBack(List<Long> permits) {
        if (decision().allowed()) {
            store.giveBack(claims, permits, answer.handle(), used.compareAndSet(false, true));
        }
    }
}
