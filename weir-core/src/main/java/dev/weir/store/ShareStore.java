package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import java.util.ArrayList;
import java.util.List;

/** A store that grants a share of each limit, and says that its decisions are degraded. */
final class ShareStore implements Store {
    private final Store store;
    private final double share;
    private volatile Scaled latest;

    /** Limits as asked for, and as granted. */
    private record Scaled(Limits asked, Limits granted) {}

    ShareStore(Store store, double share) {
        this.store = store;
        this.share = share;
        Limits none = Limits.parse("1/1s");
        latest = new Scaled(none, none);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        Scaled scaled = scaled(limits);
        return degraded(store.decide(limiter, scaled.granted, key, permits), scaled, permits);
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        List<Claim> granted = claims.stream().map(this::granted).toList();
        Booking booking = store.book(granted, maxWaitNanos);
        Decision decision = booking.decision();
        for (int i = 0; i < claims.size(); i++) {
            Scaled scaled = new Scaled(claims.get(i).limits(), granted.get(i).limits());
            if (indexOf(scaled.granted, decision.limit()) >= 0) {
                decision = degraded(decision, scaled, claims.get(i).permits());
                break;
            }
        }
        return new Degraded(booking, decision);
    }

    @Override
    public Decision peek(Claim claim) {
        return degraded(store.peek(granted(claim)), scaled(claim.limits()), claim.permits());
    }

    @Override
    public void reset(Claim claim) {
        store.reset(granted(claim));
    }

    @Override
    public void block(Claim claim, long nanos) {
        store.block(granted(claim), nanos);
    }

    @Override
    public void close() {
        store.close();
    }

    private Claim granted(Claim claim) {
        return new Claim(claim.limiter(), scaled(claim.limits()).granted, claim.key(), claim.permits());
    }

    private Scaled scaled(Limits limits) {
        Scaled known = latest;
        if (!known.asked.equals(limits)) {
            List<Limit> list = new ArrayList<>();
            for (Limit limit : limits.list()) {
                list.add(scaled(limit));
            }
            known = new Scaled(limits, Limits.of(list));
            latest = known; // a race is benign: another thread's limits are scaled anew
        }
        return known;
    }

    private long part(long permits) {
        return Math.max(1, (long) Math.floor(permits * share));
    }

    private Limit scaled(Limit limit) {
        long permits = part(limit.permits());
        if (limit instanceof Limit.SlidingLog log) {
            return new Limit.SlidingLog(
                    log.name(), permits, log.windowNanos(), log.resolutionNanos(), log.count(), log.marginNanos());
        } else if (limit instanceof Limit.SlidingWindow window) {
            return new Limit.SlidingWindow(
                    window.name(), permits, window.windowNanos(), window.buckets(), window.estimate());
        } else if (limit instanceof Limit.FixedWindow window) {
            return new Limit.FixedWindow(window.name(), permits, window.windowNanos(), window.align());
        } else if (limit instanceof Limit.TokenBucket bucket) {
            return new Limit.TokenBucket(bucket.name(), permits, bucket.windowNanos(), part(bucket.burst()));
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            return new Limit.LeakyBucket(bucket.name(), permits, bucket.windowNanos(), part(bucket.capacity()));
        }
        Limit.Gcra gcra = (Limit.Gcra) limit;
        return new Limit.Gcra(gcra.name(), permits, gcra.windowNanos(), part(gcra.burst()));
    }

    private static int indexOf(Limits limits, Limit limit) {
        for (int i = 0; i < limits.list().size(); i++) {
            if (limits.list().get(i) == limit) {
                return i;
            }
        }
        return -1;
    }

    /** The decision in terms of what was asked. What the share never grants, the whole limit may grant later. */
    private static Decision degraded(Decision decision, Scaled scaled, long permits) {
        int place = Math.max(0, indexOf(scaled.granted, decision.limit()));
        Limit asked = scaled.asked.list().get(place);
        boolean onlyByShare = decision.never() && permits <= most(asked);
        return new Decision(
                decision.allowed(),
                asked,
                decision.remaining(),
                decision.waitNanos(),
                onlyByShare ? scaled.asked.shortestWindowNanos() : decision.retryAfterNanos(),
                decision.resetAfterNanos(),
                true);
    }

    /** The most permits that a limit ever grants at once. */
    private static long most(Limit limit) {
        if (limit instanceof Limit.TokenBucket bucket) {
            return bucket.burst();
        } else if (limit instanceof Limit.LeakyBucket bucket) {
            return bucket.capacity();
        }
        return limit instanceof Limit.Gcra gcra ? gcra.burst() : limit.permits();
    }

    private record Degraded(Booking booking, Decision decision) implements Booking {
        @Override
        public void giveBack(long permits) {
            booking.giveBack(permits);
        }

        @Override
        public void giveBackRest(long before) {
            booking.giveBackRest(before);
        }
    }
}
