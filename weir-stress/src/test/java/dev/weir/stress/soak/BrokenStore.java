package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A store in memory with one fault. */
final class BrokenStore extends ForwardingStore {
    private static final int ONE_OF = 100;

    private final Deciding deciding;
    private final Reserving reserving;

    private interface Deciding {
        Decision decide(Store store, Request request);
    }

    private interface Reserving {
        StoreReservation reserve(Store store, List<Request> requests, long maxWaitNanos);
    }

    private BrokenStore(TimeSource timeSource, Deciding deciding, Reserving reserving) {
        super(MemoryStore.builder().timeSource(timeSource).build());
        this.deciding = deciding;
        this.reserving = reserving;
    }

    private BrokenStore(TimeSource timeSource, Deciding deciding) {
        this(timeSource, deciding, Store::reserve);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return deciding.decide(store, Request.of(limiter, limits, key, permits));
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return reserving.reserve(store, requests, maxWaitNanos);
    }

    private static Decision decide(Store store, Request request, Limits limits) {
        return store.decide(request.limiter(), limits, request.key(), request.permits());
    }

    /** Returns a store whose time runs 5 % too fast; it reports the correct time. */
    static Store withFastTime(TimeSource timeSource) {
        return new BrokenStore(
                () -> timeSource.nanos() + timeSource.nanos() / 20,
                (store, request) -> atRightTime(decide(store, request, request.limits()), timeSource),
                (store, requests, maxWaitNanos) -> {
                    StoreReservation reservation = store.reserve(requests, maxWaitNanos);
                    Decision decision = atRightTime(reservation.decision(), timeSource);
                    return new StoreReservation() {
                        @Override
                        public Decision decision() {
                            return decision;
                        }

                        @Override
                        public void refund(long permits) {
                            reservation.refund(permits);
                        }

                        @Override
                        public void cancel(long refunded) {
                            reservation.cancel(refunded);
                        }
                    };
                });
    }

    private static Decision atRightTime(Decision decision, TimeSource timeSource) {
        return changed(decision, decision.limit(), decision.remaining(), timeSource.nanos());
    }

    /** Returns a store that counts in fixed windows, and so admits up to twice the limit around their ends. */
    static Store countingFixedWindows(TimeSource timeSource) {
        return new BrokenStore(timeSource, (store, request) -> {
            Limits fixed = Limits.of(
                    request.limits().list().stream().map(BrokenStore::fixed).toList());
            Decision decision = decide(store, request, fixed);
            Limit limit = request.limits().list().get(fixed.list().indexOf(decision.limit()));
            return changed(decision, limit, decision.remaining(), decision.timeNanos());
        });
    }

    private static Limit fixed(Limit limit) {
        Limit fixed = Limit.fixedWindow(limit.permits(), limit.window());
        return limit.name().isEmpty() ? fixed : fixed.named(limit.name());
    }

    /** Returns a store that resets a key from time to time. */
    static Store forgetting(TimeSource timeSource) {
        return new BrokenStore(timeSource, (store, request) -> {
            if (isBroken()) {
                store.resetAsync(request).join();
            }
            return decide(store, request, request.limits());
        });
    }

    /** Returns a store that ignores changed limits: it decides by the first limits of each limiter. */
    static Store ignoringChanges(TimeSource timeSource) {
        ConcurrentHashMap<String, Limits> first = new ConcurrentHashMap<>();
        return new BrokenStore(timeSource, (store, request) -> {
            Limits limits = request.limits();
            Limits before = first.computeIfAbsent(request.limiter(), name -> limits);
            Decision decision = decide(store, request, before);
            if (!decision.allowed()) {
                return decide(store, request, limits);
            }
            Limit limit = limits.list().get(before.list().indexOf(decision.limit()));
            long remaining = Math.max(0, Math.min(decision.remaining(), limit.permits() - request.permits()));
            return changed(decision, limit, remaining, decision.timeNanos());
        });
    }

    /** Returns a store that loses a reservation from time to time, although it was not cancelled. */
    static Store losingReservations(TimeSource timeSource) {
        return new BrokenStore(
                timeSource,
                (store, request) -> decide(store, request, request.limits()),
                (store, requests, maxWaitNanos) -> {
                    StoreReservation reservation = store.reserve(requests, maxWaitNanos);
                    if (isBroken()) {
                        reservation.cancel(0);
                    }
                    return reservation;
                });
    }

    /** Returns a store that denies requests from time to time for which there is room. */
    static Store denyingTooMuch(TimeSource timeSource) {
        return new BrokenStore(timeSource, (store, request) -> {
            Limit limit = request.limits().list().get(0);
            if (!isBroken() || request.permits() > limit.permits()) {
                return decide(store, request, request.limits());
            }
            Decision peeked = store.peekAsync(request).join();
            return Decision.denied(limit, 0, limit.windowNanos(), limit.windowNanos(), peeked.timeNanos())
                    .withStatuses(peeked.statuses());
        });
    }

    /** Returns a store in which a call hangs from time to time, interrupted or not. */
    static Store hanging(TimeSource timeSource) {
        return new BrokenStore(timeSource, (store, request) -> {
            if (isBroken()) {
                new CompletableFuture<Void>().join();
            }
            return decide(store, request, request.limits());
        });
    }

    /** Returns a decision with another limit, remaining and time, whose newest permits are those that it grants. */
    private static Decision changed(Decision decision, Limit limit, long remaining, long time) {
        Decision changed = decision.allowed()
                ? Decision.allowed(limit, remaining, decision.waitNanos(), limit.windowNanos(), time)
                : Decision.denied(limit, remaining, decision.retryAfterNanos(), limit.windowNanos(), time);
        return changed.withStatuses(decision.statuses());
    }

    private static boolean isBroken() {
        return ThreadLocalRandom.current().nextInt(ONE_OF) == 0;
    }
}
