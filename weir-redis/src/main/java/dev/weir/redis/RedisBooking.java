package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A booking on the server, which is found there by what the script answered. */
final class RedisBooking implements Booking {
    private final RedisStore store;
    private final List<Claim> claims;
    private final Decision decision;
    private final byte[] handle;
    private final AtomicBoolean used = new AtomicBoolean();

    RedisBooking(RedisStore store, List<Claim> claims, Decision decision, byte[] handle) {
        this.store = store;
        this.claims = claims;
        this.decision = decision;
        this.handle = handle;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public void giveBack(long permits) {
        boolean first = used.compareAndSet(false, true);
        store.giveBack(claims, handle, claims.stream().map(claim -> permits).toList(), first);
    }

    @Override
    public void giveBackRest(long before) {
        boolean first = used.compareAndSet(false, true);
        store.giveBack(
                claims,
                handle,
                claims.stream().map(claim -> claim.permits() - before).toList(),
                first);
    }
}
