package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limits;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the state of every key and decides on it, one atomic step a decision, on its own clock. Thread-safe. Arguments are
 * checked by the limiter before they come here. A store that lies elsewhere throws {@link StoreException} from every method
 * when it does not answer; a limiter then decides by its {@link FailurePolicy}.
 */
public interface Store extends AutoCloseable {

    /**
     * Decides at once: books what fits now, or denies and takes nothing. A {@link Claim} in parts, so that the usual
     * decision needs no object but its answer.
     */
    Decision decide(String limiter, Limits limits, String key, long permits);

    /**
     * Decides on all claims or none: books them at the earliest instant that fits all of their limits, the same instant in
     * every log, if it is no later than {@code maxWaitNanos} from now. No two claims bear the same limiter and key.
     */
    Booking book(List<Claim> claims, long maxWaitNanos);

    /**
     * Decides as {@link #book} does, without a waiting thread. Completed exceptionally with a {@link StoreException} where
     * that throws one. Whoever no longer wants the booking when it comes gives it back.
     */
    default CompletableFuture<Booking> bookAsync(List<Claim> claims, long maxWaitNanos) {
        return CompletableFuture.completedFuture(book(claims, maxWaitNanos));
    }

    /** What {@link #decide} would say now; takes nothing and leaves nothing behind. */
    Decision peek(Claim claim);

    /** Forgets what was booked for the claim's key, and lifts a block. Bookings already given stay due. */
    void reset(Claim claim);

    /** Denies everything for the claim's key for so long, and books nothing; a block never shortens an earlier one. */
    void block(Claim claim, long nanos);

    /** Lets go of threads and connections. Decisions after that are undefined. */
    @Override
    void close();
}
