package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
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

/** A good store with one thing broken. As it stands nothing is. */
class BrokenStore implements Store {
    private static final int ONE_OF = 100;

    final Store good;

    BrokenStore(TimeSource timeSource) {
        good = MemoryStore.builder().timeSource(timeSource).build();
    }

    /** Its time is a twentieth too fast, and it reports the right one. */
    static Store withFastTime(TimeSource timeSource) {
        return new BrokenStore(() -> timeSource.nanos() + timeSource.nanos() / 20) {
            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Decision decision = good.decide(limiter, limits, key, permits);
                return honest(decision);
            }

            @Override
            public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
                StoreReservation reservation = good.reserve(requests, maxWaitNanos);
                Decision decision = honest(reservation.decision());
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
            }

            private Decision honest(Decision decision) {
                return answer(decision, decision.limit(), decision.remaining(), timeSource.nanos());
            }
        };
    }

    /** It counts in fixed windows, and so admits up to twice the limit around their ends. */
    static Store countingFixedWindows(TimeSource timeSource) {
        return new BrokenStore(timeSource) {
            private Limits fixed(Limits limits) {
                return Limits.of(limits.list().stream()
                        .map(limit -> named(Limit.fixedWindow(limit.permits(), limit.window()), limit.name()))
                        .toList());
            }

            private Limit named(Limit limit, String name) {
                return name.isEmpty() ? limit : limit.named(name);
            }

            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Limits fixed = fixed(limits);
                Decision decision = good.decide(limiter, fixed, key, permits);
                Limit limit = limits.list().get(fixed.list().indexOf(decision.limit()));
                return answer(decision, limit, decision.remaining(), decision.timeNanos());
            }
        };
    }

    /** It forgets a key from time to time. */
    static Store forgetting(TimeSource timeSource) {
        return new BrokenStore(timeSource) {
            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                if (isBroken()) {
                    good.resetAsync(Request.of(limiter, limits, key, permits)).join();
                }
                return good.decide(limiter, limits, key, permits);
            }
        };
    }

    /** It admits what the limits allow that each limiter had first. */
    static Store ignoringChanges(TimeSource timeSource) {
        return new BrokenStore(timeSource) {
            private final ConcurrentHashMap<String, Limits> first = new ConcurrentHashMap<>();

            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Limits before = first.computeIfAbsent(limiter, name -> limits);
                Decision decision = good.decide(limiter, before, key, permits);
                if (!decision.allowed()) {
                    return good.decide(limiter, limits, key, permits);
                }
                Limit limit = limits.list().get(before.list().indexOf(decision.limit()));
                long remaining = Math.max(0, Math.min(decision.remaining(), limit.permits() - permits));
                return answer(decision, limit, remaining, decision.timeNanos());
            }
        };
    }

    /** From time to time it loses a reservation that nobody cancelled. */
    static Store losingReservations(TimeSource timeSource) {
        return new BrokenStore(timeSource) {
            @Override
            public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
                StoreReservation reservation = good.reserve(requests, maxWaitNanos);
                if (isBroken()) {
                    reservation.cancel(0);
                }
                return reservation;
            }
        };
    }

    /** From time to time it denies requests for which there is room. */
    static Store denyingTooMuch(TimeSource timeSource) {
        return new BrokenStore(timeSource) {
            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Limit limit = limits.list().get(0);
                if (!isBroken() || permits > limit.permits()) {
                    return good.decide(limiter, limits, key, permits);
                }
                Decision peeked = good.peekAsync(Request.of(limiter, limits, key, permits))
                        .join();
                return Decision.denied(limit, 0, limit.windowNanos(), limit.windowNanos(), peeked.timeNanos())
                        .withStatuses(peeked.statuses());
            }
        };
    }

    /** Returns a decision with another limit, remaining and time, whose newest permits are those that it grants. */
    private static Decision answer(Decision decision, Limit limit, long remaining, long time) {
        Decision answer = decision.allowed()
                ? Decision.allowed(limit, remaining, decision.waitNanos(), limit.windowNanos(), time)
                : Decision.denied(limit, remaining, decision.retryAfterNanos(), limit.windowNanos(), time);
        return answer.withStatuses(decision.statuses());
    }

    private static boolean isBroken() {
        return ThreadLocalRandom.current().nextInt(ONE_OF) == 0;
    }

    @Override
    public TimeSource timeSource() {
        return good.timeSource();
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return good.decide(limiter, limits, key, permits);
    }

    @Override
    public StoreReservation reserve(List<Request> requests, long maxWaitNanos) {
        return good.reserve(requests, maxWaitNanos);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(Request request) {
        return good.peekAsync(request);
    }

    @Override
    public CompletableFuture<Void> resetAsync(Request request) {
        return good.resetAsync(request);
    }

    @Override
    public CompletableFuture<Void> blockAsync(Request request, long nanos) {
        return good.blockAsync(request, nanos);
    }

    @Override
    public CompletableFuture<Void> unblockAsync(Request request) {
        return good.unblockAsync(request);
    }

    @Override
    public CompletableFuture<KeySnapshot> inspectAsync(Request request, int maxRuns) {
        return good.inspectAsync(request, maxRuns);
    }

    @Override
    public void close() {
        good.close();
    }
}
