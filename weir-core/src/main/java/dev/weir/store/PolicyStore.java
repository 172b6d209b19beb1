package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.List;

/** Admits everything or nothing, and counts nothing. */
final class PolicyStore implements Store {
    private final boolean admit;

    PolicyStore(boolean admit) {
        this.admit = admit;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return peek(new Claim(limiter, limits, key, permits));
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        return new Uncounted(peek(claims.get(0)));
    }

    @Override
    public Decision peek(Claim claim) {
        return Deciding.byPolicy(claim, admit);
    }

    @Override
    public void reset(Claim claim) {}

    @Override
    public void block(Claim claim, long nanos) {}

    @Override
    public void close() {}

    private record Uncounted(Decision decision) implements Booking {
        @Override
        public void giveBack(long permits) {}

        @Override
        public void giveBackRest(long before) {}
    }
}
