package dev.weir;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.function.Function;

/**
 * What decides while a limiter's store fails. Its decisions are {@linkplain Decision#degraded degraded}. What it grants is not
 * reported to the failed store later. Immutable and thread-safe.
 *
 * <p>With a limit of N and P processes, a window that overlaps a failure admits at most: any number with {@link #open}; N with
 * {@link #closed}; N + P x max(1, share x N) with {@link #local}.
 */
public final class FailurePolicy {
    private final String text;
    private final Function<TimeSource, Store> fallback;

    private FailurePolicy(String text, Function<TimeSource, Store> fallback) {
        this.text = text;
        this.fallback = fallback;
    }

    /** {@return a policy that allows every request} */
    public static FailurePolicy open() {
        return new FailurePolicy("open", time -> new UncountedStore(time, true));
    }

    /** {@return a policy that denies every request} */
    public static FailurePolicy closed() {
        return new FailurePolicy("closed", time -> new UncountedStore(time, false));
    }

    /**
     * Returns a policy that counts in the memory of this process, against a share of each limit, rounded down and at least one
     * permit. With P processes a share of 1/P keeps the whole limit during a failure; a share of 1, the default of limiters,
     * never denies what one process alone may do. Its state starts empty and is kept from one failure to the next.
     *
     * @param share above 0 and at most 1
     * @return the policy
     * @throws IllegalArgumentException if the share is out of range
     */
    public static FailurePolicy local(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
        }
        return new FailurePolicy(
                "local(" + share + ")",
                time -> new ShareStore(MemoryStore.builder().timeSource(time).build(), share));
    }

    /** Returns the store that decides for one limiter during failures. */
    Store fallback(TimeSource timeSource) {
        return fallback.apply(timeSource);
    }

    @Override
    public String toString() {
        return "FailurePolicy." + text;
    }
}
