package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Permits of a key that may be granted without its lock, until a given instant; and the denial of one permit when none is left.
 * The next thread that acquires the lock closes the offer first and records what was granted. Immutable but for the permits left;
 * thread-safe.
 */
/*
 * All grants of one tick are one run, and runs expire at known instants. Until the end of the tick or the next expiry, the state
 * of a key is one number that only falls: the permits left.
 *
 * The word contains the permits left (48 bits) and the thread that granted last (16 bits). If two threads decide on a key every
 * few tens of nanoseconds, passing the word back and forth costs several times what they do with it. So a thread that finds that
 * another one decided less than 256 ns ago first spins for some microseconds, in which the other one continues.
 */
final class Offer implements Function<Decision, List<Status>> {
    private static final long MAX_PERMITS = 1L << 47;
    private static final long FAR = Long.MAX_VALUE / 2;
    private static final int OWNER_BITS = 16;
    private static final long CLOSED = -1;
    private static final int BUSY_NANOS = 256;

    private static final VarHandle WORD = LockedState.handle(MethodHandles.lookup(), "word", long.class);

    /** Stands for no offer: it is closed. */
    static final Offer NONE = none();

    private volatile long word;
    private long grantedAt; // a race is benign: a lost update makes the key's time a little older, within the same tick
    private final Limits limits;
    private final Limit limit; // the most restrictive
    private final long permits; // that were offered
    private final long madeAt;
    private final long until; // permits are granted before
    private final long deniedUntil; // one permit is denied before, if none is left
    private final long retryAt;
    private final long resetAt;
    private final @Nullable List<Status> statuses; // of several limits when this was made

    // Guarded by the lock of the key.
    private long granted = -1; // negative until this offer is closed

    /** The instants of an offer, as waits from when it is made. */
    record Times(long until, long deniedUntil, long retryAfter, long resetAfter) {}

    private static Offer none() {
        Limit any = Limit.unlimited();
        Offer none = new Offer(Limits.of(any), Decision.allowed(any, 0, 0, 0, 0), 0, new Times(0, 0, 0, 0));
        none.close();
        return none;
    }

    private Offer(Limits limits, Decision made, long now, Times times) {
        this.limits = limits;
        this.limit = made.limit();
        this.permits = made.remaining();
        this.madeAt = now;
        this.grantedAt = now;
        this.until = now + Math.min(FAR, times.until);
        this.deniedUntil = now + Math.min(FAR, times.deniedUntil);
        this.retryAt = now + times.retryAfter;
        this.resetAt = now + times.resetAfter;
        this.statuses = limits.list().size() == 1 ? null : made.statuses();
        WORD.set(this, permits << OWNER_BITS | owner());
    }

    /**
     * Creates an offer of the permits that remain after a decision, or of none after a denial.
     *
     * @param made the decision at {@code now}; if it has statuses, of a request without lag
     * @return {@link #NONE} if the numbers are too large
     */
    static Offer of(Limits limits, Decision made, long now, Times times) {
        return times.retryAfter >= FAR || made.remaining() >= MAX_PERMITS ? NONE : new Offer(limits, made, now, times);
    }

    /** Decides a request for at least one permit. Returns null if that takes the lock. */
    @Nullable
    Decision decide(Limits requested, long wanted, long reading) {
        long owner = owner();
        for (int attempt = 0; ; attempt++) {
            long seen = word;
            long left = seen >> OWNER_BITS;
            if ((left - wanted | until - 1 - reading) < 0) { // one branch, or the rarer one would be compiled late
                return left == 0 ? denied(requested, wanted, reading) : null;
            }
            if (!requested.equals(limits)) {
                return null;
            }
            boolean busy = attempt == 0 && ((seen ^ owner) & 0xFFFF) != 0 && reading - grantedAt < BUSY_NANOS;
            if (!busy && WORD.compareAndSet(this, seen, (left - wanted) << OWNER_BITS | owner)) {
                return granted(left - wanted, reading);
            }
            LockedState.spin(attempt == 0 ? LockedState.SPIN_NANOS_IF_BUSY : LockedState.FIRST_SPIN_NANOS);
        }
    }

    private static long owner() {
        return Thread.currentThread().getId() & 0xFFFF;
    }

    private Decision granted(long left, long reading) {
        long time = grantedAt;
        if (reading - time > 0) {
            time = reading;
            grantedAt = reading;
        }
        Decision decision = Decision.allowed(limit, left, 0, resetAt - reading, time);
        return statuses == null ? decision : decision.withStatuses(this);
    }

    private @Nullable Decision denied(Limits requested, long wanted, long reading) {
        if (wanted != 1 || reading - deniedUntil >= 0 || !requested.equals(limits)) {
            return null;
        }
        Decision decision = Decision.denied(limit, 0, retryAt - reading, resetAt - reading, reading);
        return statuses == null ? decision : decision.withStatuses(this);
    }

    /** Returns the statuses of a decision by this offer: all limits have granted the same permits since it was made. */
    @Override
    public List<Status> apply(Decision decision) {
        long granted = permits - decision.remaining();
        long passed = madeAt - (resetAt - decision.resetAfterNanos());
        return Objects.requireNonNull(statuses).stream()
                .map(status -> new Status(
                        0,
                        status.limit(),
                        status.remaining() - granted,
                        later(status.retryAfterNanos(), passed),
                        later(status.resetAfterNanos(), passed)))
                .toList();
    }

    /** Returns a wait counted from a later instant, or from an earlier one if {@code passed} is positive. */
    private static long later(long wait, long passed) {
        return wait == 0 ? 0 : Math.max(0, wait + passed);
    }

    /** Returns about when permits were last granted. */
    long grantedAt() {
        return grantedAt;
    }

    /** Returns whether this decides requests at an instant, so that its key is not idle. */
    boolean isInForce(long reading) {
        return word >= 0 && (reading - until < 0 || reading - deniedUntil < 0);
    }

    /** Closes this offer. Returns the permits that it granted, also if it is closed already. */
    long close() {
        if (granted < 0) {
            granted = permits - ((long) WORD.getAndSet(this, CLOSED << OWNER_BITS) >> OWNER_BITS);
        }
        return granted;
    }
}
