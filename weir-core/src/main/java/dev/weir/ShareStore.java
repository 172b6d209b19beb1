package dev.weir;

import dev.weir.internal.Decisions;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** A store that grants a share of each limit: the fallback of a local failure policy. Its decisions are degraded. */
final class ShareStore implements Store {
    private final Store store;
    private final double share;
    private volatile Scaled latest;

    /** The limits of a request, and the share of them that is granted. */
    private record Scaled(Limits requested, Limits granted) {}

    ShareStore(Store store, double share) {
        this.store = store;
        this.share = share;
        Limits none = Limits.of(Limit.unlimited());
        latest = new Scaled(none, none);
    }

    @Override
    public TimeSource timeSource() {
        return store.timeSource();
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        Limits granted = share(limits);
        Decision decision = store.decide(limiter, granted, key, permits);
        Request requested = Request.of(limiter, limits, key, permits);
        return degraded(decision, List.of(requested), List.of(requested.with(granted)));
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        List<Request> granted = requests.stream().map(this::share).toList();
        StoreReservation reservation = store.reserve(granted, maxWaitNanos);
        return new Degraded(reservation, degraded(reservation.decision(), requests, granted));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        Request granted = share(request);
        return store.peekAsync(granted).thenApply(decision -> degraded(decision, List.of(request), List.of(granted)));
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return store.resetAsync(share(request));
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return store.blockAsync(share(request), nanos);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return store.unblockAsync(share(request));
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return store.inspectAsync(share(request), maxRuns);
    }

    @Override
    public void close() {
        store.close();
    }

    private Request share(Request request) {
        return request.with(share(request.limits()));
    }

    private Limits share(Limits limits) {
        Scaled known = latest;
        if (!known.requested.equals(limits)) {
            List<Limit> list = new ArrayList<>();
            for (Limit limit : limits.list()) {
                list.add(limit.share(share));
            }
            known = new Scaled(limits, Limits.of(list));
            latest = known; // a race is benign: another thread scales its limits again
        }
        return known.granted;
    }

    /** The decision in terms of the limits requested. What the share never grants, the whole limits may grant later. */
    private static Decision degraded(Decision decision, List<Request> requested, List<Request> granted) {
        boolean onlyByShare = decision.never() && requested.stream().allMatch(ShareStore::everGranted);
        long retry = onlyByShare ? Decisions.shortestWindowNanos(requested.get(0)) : decision.retryAfterNanos();
        Limit limit = requested(decision.limit(), requested, granted);
        long remaining = decision.remaining();
        long reset = decision.resetAfterNanos();
        Decision shown = decision.allowed()
                ? Decision.allowed(limit, remaining, decision.waitNanos(), reset, decision.timeNanos())
                : Decision.denied(limit, remaining, retry, reset, decision.timeNanos());
        shown = decision.blocked() ? shown.asBlocked() : shown;
        List<Status> statuses = decision.statuses();
        return (statuses.size() == 1 ? shown : shown.withStatuses(requested(statuses, requested))).asDegraded();
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
                statuses.add(Status.of(request, limit, status.remaining(), retry, status.resetAfterNanos()));
            }
        }
        return statuses;
    }

    /** The limit of which this one is the share; or an equal one's, since cached denials name limits of earlier requests. */
    @SuppressWarnings("ReferenceEquality") // two limits may be equal and stand for different ones
    private static Limit requested(Limit shown, List<Request> requested, List<Request> granted) {
        Limit equal = null;
        for (int i = 0; i < granted.size(); i++) {
            List<Limit> limits = granted.get(i).limits().list();
            for (int position = 0; position < limits.size(); position++) {
                Limit whole = requested.get(i).limits().list().get(position);
                if (limits.get(position) == shown) {
                    return whole;
                }
                if (equal == null && limits.get(position).equals(shown)) {
                    equal = whole;
                }
            }
        }
        return Objects.requireNonNull(equal);
    }

    private static boolean everGranted(Request request) {
        return request.limits().list().stream().allMatch(limit -> request.permits() <= limit.maxPermitsPerRequest());
    }

    private record Degraded(StoreReservation reservation, Decision decision) implements StoreReservation {
        @Override
        public void refund(long permits) {
            reservation.refund(permits);
        }

        @Override
        public void cancel(long refunded) {
            reservation.cancel(refunded);
        }
    }
}
