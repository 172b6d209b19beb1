package dev.weir.redis;

import dev.weir.store.Claim;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way, and its answer when that has come; none of a script that decides nothing. */
final class Call extends CompletableFuture<@Nullable Answer> implements Ask {
    /** When it is too late, by {@link System#nanoTime}. */
    final long deadline;

    private final List<Claim> claims;
    private final long maxWaitNanos;

    Call(List<Claim> claims, long maxWaitNanos, long deadline) {
        this.claims = claims;
        this.maxWaitNanos = maxWaitNanos;
        this.deadline = deadline;
    }

    @Override
    public List<Claim> claims() {
        return claims;
    }

    @Override
    public long maxWaitNanos() {
        return maxWaitNanos;
    }

    /** Whether another asks for the same keys under the same limits: of one key each, by who made the two calls. */
    boolean agreesWith(Call other) {
        return claims.get(0).limits().equals(other.claims.get(0).limits());
    }
}
