package dev.weir;

import dev.weir.internal.Decisions;
import dev.weir.internal.Futures;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What decides while a limiter's store fails. Its decisions are {@linkplain Decision#degraded degraded}. What it grants is not
 * reported to the failed store later, it does not know which keys are blocked, and requests that are decided together do not wait
 * if their limiters have different policies. Immutable and thread-safe; policies with the same text are equal.
 *
 * <p>With a limit of N and P processes, of which each has one store for it, a window that overlaps a failure, or a wait that began
 * during one, admits at most: any number with {@link #open}; N with {@link #closed}; N + P x max(1, share x N) with {@link
 * #local}.
 */
public final class FailurePolicy {
    private final String text;
    private final Function<Store, Fallback> fallback;

    private FailurePolicy(String text, Function<Store, Fallback> fallback) {
        this.text = text;
        this.fallback = fallback;
    }

    /** {@return a policy that allows every request} It counts nothing, so no permits remain in its decisions. */
    public static FailurePolicy open() {
        return new FailurePolicy("open", store -> uncounted(store.timeSource(), true));
    }

    /** {@return a policy that denies every request} Its retry-after is the shortest window of the request's limits. */
    public static FailurePolicy closed() {
        return new FailurePolicy("closed", store -> uncounted(store.timeSource(), false));
    }

    /**
     * {@return a policy that counts in memory, which all limiters of a store share, against a share of each limit, rounded down and
     * at least one permit} With P processes a share of 1/P keeps the whole limit during a failure; a share of 1, the default of
     * limiters, never denies what one process alone may do. Its state starts empty and is kept from one failure to the next. The
     * memory has the default bounds of a {@link MemoryStore}.
     *
     * @param share above 0 and at most 1
     * @throws IllegalArgumentException if the share is out of range
     */
    public static FailurePolicy local(double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
        }
        return new FailurePolicy("local(" + share + ")", store -> new Share(store, share));
    }

    /** Returns what decides for one limiter while its store fails. */
    Fallback fallback(Store store) {
        return fallback.apply(store);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FailurePolicy policy && policy.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** {@return {@code open}, {@code closed} or {@code local(share)}} */
    @Override
    public String toString() {
        return text;
    }

    /** Decides for one limiter while its store fails. Its decisions are degraded. Thread-safe. */
    interface Fallback {
        StoreReservation reserve(List<Request> requests, long maxWaitNanos);

        default Decision peek(Request request) {
            return reserve(List.of(request), 0).decision();
        }
    }

    /** Allows or denies everything and counts nothing. */
    private static Fallback uncounted(TimeSource time, boolean allow) {
        return (requests, maxWaitNanos) ->
                StoreReservation.of(Decisions.uncounted(requests, allow, time.nanos()), List.of());
    }

    /** Grants a share of each limit from the memory of a store. */
    private static final class Share implements Fallback {
        private static final List<Local> LOCAL = new ArrayList<>(); // few: of stores that have failed

        private final Store failing;
        private final double share;
        private volatile @Nullable MemoryStore memory; // once it has failed
        private volatile @Nullable Scaled latest;

        /** The memory of a store that has failed, as long as a limiter uses it. */
        private record Local(WeakReference<Store> failing, WeakReference<MemoryStore> memory) {}

        /** The limits of a request, and the share of them that is granted. */
        private record Scaled(Limits requested, Limits granted) {}

        Share(Store failing, double share) {
            this.failing = failing;
            this.share = share;
        }

        private MemoryStore memory() {
            MemoryStore known = memory;
            if (known == null) {
                known = local(failing, failing.timeSource());
                memory = known;
            }
            return known;
        }

        private static MemoryStore local(Store failing, TimeSource time) {
            synchronized (LOCAL) {
                LOCAL.removeIf(one -> one.memory.get() == null);
                for (Local one : LOCAL) {
                    MemoryStore memory = one.memory.get();
                    if (memory != null && one.failing.refersTo(failing)) {
                        return memory;
                    }
                }
                MemoryStore memory = MemoryStore.builder().timeSource(time).build();
                LOCAL.add(new Local(new WeakReference<>(failing), new WeakReference<>(memory)));
                return memory;
            }
        }

        @Override
        public Decision peek(Request request) {
            return degraded(Futures.join(memory().peekAsync(share(request))), List.of(request));
        }

        @Override
        public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
            List<Request> granted = requests.stream().map(this::share).toList();
            StoreReservation reservation = memory().reserve(granted, maxWaitNanos);
            return StoreReservation.of(degraded(reservation.decision(), requests), List.of(reservation));
        }

        private Request share(Request request) {
            return Request.of(request.limiter(), share(request.limits()), request.key(), request.permits());
        }

        private Limits share(Limits limits) {
            Scaled known = latest;
            if (known == null || !known.requested.equals(limits)) {
                List<Limit> granted =
                        limits.list().stream().map(limit -> limit.share(share)).toList();
                known = new Scaled(limits, Limits.of(granted));
                latest = known; // a race is benign: another thread scales its limits again
            }
            return known.granted;
        }

        /** The decision in terms of the limits requested. What the share never grants, the whole limits may grant later. */
        private static Decision degraded(Decision decision, List<Request> requested) {
            List<Status> statuses = requested(decision.statuses(), requested);
            long retry = decision.never()
                    ? statuses.stream().mapToLong(Status::retryAfterNanos).max().orElseThrow()
                    : decision.retryAfterNanos();
            long delay = decision.allowed() ? decision.waitNanos() : retry;
            return Decision.of(statuses, decision.allowed(), delay, decision.timeNanos())
                    .asDegraded();
        }

        /** The statuses are in the order of requests and limits, which the share keeps. */
        private static List<Status> requested(List<Status> granted, List<Request> requested) {
            List<Status> statuses = new ArrayList<>();
            for (int request = 0; request < requested.size(); request++) {
                for (Limit limit : requested.get(request).limits().list()) {
                    Status status = granted.get(statuses.size());
                    boolean onlyByShare = status.retryAfterNanos() == Long.MAX_VALUE
                            && requested.get(request).permits() <= limit.maxPermitsPerRequest();
                    long retry = onlyByShare ? limit.windowNanos() : status.retryAfterNanos();
                    statuses.add(new Status(request, limit, status.remaining(), retry, status.resetAfterNanos()));
                }
            }
            return statuses;
        }
    }
}
