package dev.weir.stress.soak;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** A good store spoilt in one way. As it stands it is not spoilt at all. */
class BrokenStore implements Store {
    private static final int NOW_AND_THEN = 100;

    final Store good;

    BrokenStore(Clock clock) {
        good = MemoryStore.builder().clock(clock).build();
    }

    /** Its time is a twentieth too fast. */
    static Store withFastClock(Clock clock) {
        return new BrokenStore(() -> clock.nanos() + clock.nanos() / 20);
    }

    /** It counts in fixed windows, and so lets through up to twice the limit around their ends. */
    static Store countingFixedWindows(Clock clock) {
        return new BrokenStore(clock) {
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
                return new Decision(
                        decision.allowed(),
                        limit,
                        decision.remaining(),
                        0,
                        decision.retryAfterNanos(),
                        limit.windowNanos(),
                        false);
            }
        };
    }

    /** Now and then it forgets a key. */
    static Store forgetting(Clock clock) {
        return new BrokenStore(clock) {
            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                if (nowAndThen()) {
                    good.reset(new Claim(limiter, limits, key, permits));
                }
                return good.decide(limiter, limits, key, permits);
            }
        };
    }

    /** It stays with the limits that each limiter had first. */
    static Store deafToChanges(Clock clock) {
        return new BrokenStore(clock) {
            private final ConcurrentHashMap<String, Limits> first = new ConcurrentHashMap<>();

            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Limits before = first.computeIfAbsent(limiter, name -> limits);
                Decision decision = good.decide(limiter, before, key, permits);
                Limit limit = limits.list().get(before.list().indexOf(decision.limit()));
                return new Decision(
                        decision.allowed(),
                        limit,
                        Math.max(0, Math.min(decision.remaining(), limit.permits() - permits)),
                        0,
                        decision.retryAfterNanos(),
                        limit.windowNanos(),
                        false);
            }
        };
    }

    /** Now and then it loses what was just booked, though nobody gave it back. */
    static Store losingBookings(Clock clock) {
        return new BrokenStore(clock) {
            @Override
            public Booking book(List<Claim> claims, long maxWaitNanos) {
                Booking booking = good.book(claims, maxWaitNanos);
                if (nowAndThen()) {
                    booking.giveBackRest(0);
                }
                return booking;
            }
        };
    }

    /** Now and then it denies what there is room for. */
    static Store denyingTooMuch(Clock clock) {
        return new BrokenStore(clock) {
            @Override
            public Decision decide(String limiter, Limits limits, String key, long permits) {
                Limit limit = limits.list().get(0);
                return nowAndThen() && permits <= limit.permits()
                        ? new Decision(false, limit, 0, 0, limit.windowNanos(), limit.windowNanos(), false)
                        : good.decide(limiter, limits, key, permits);
            }
        };
    }

    static boolean nowAndThen() {
        return ThreadLocalRandom.current().nextInt(NOW_AND_THEN) == 0;
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return good.decide(limiter, limits, key, permits);
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        return good.book(claims, maxWaitNanos);
    }

    @Override
    public Decision peek(Claim claim) {
        return good.peek(claim);
    }

    @Override
    public void reset(Claim claim) {
        good.reset(claim);
    }

    @Override
    public void block(Claim claim, long nanos) {
        good.block(claim, nanos);
    }

    @Override
    public void close() {
        good.close();
    }
}
