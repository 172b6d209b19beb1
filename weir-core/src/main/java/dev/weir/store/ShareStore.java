package dev.weir.store;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
        Claim asked = new Claim(limiter, limits, key, permits);
        Claim granted = granted(asked);
        Decision decision = store.decide(limiter, granted.limits(), key, permits);
        return degraded(decision, List.of(asked), List.of(granted));
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        List<Claim> granted = claims.stream().map(this::granted).toList();
        Booking booking = store.book(granted, maxWaitNanos);
        return new Degraded(booking, degraded(booking.decision(), claims, granted));
    }

    @Override
    public Decision peek(Claim claim) {
        Claim granted = granted(claim);
        return degraded(store.peek(granted), List.of(claim), List.of(granted));
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
        return new Claim(claim.limiter(), scaled(claim.limits()), claim.key(), claim.permits());
    }

    private Limits scaled(Limits limits) {
        Scaled known = latest;
        if (!known.asked.equals(limits)) {
            List<Limit> list = new ArrayList<>();
            for (Limit limit : limits.list()) {
                list.add(scaled(limit));
            }
            known = new Scaled(limits, Limits.of(list));
            latest = known; // a race is benign: another thread's limits are scaled anew
        }
        return known.granted;
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

    /** The decision in terms of what was asked. What the share never grants, the whole limits may grant later. */
    private static Decision degraded(Decision decision, List<Claim> asked, List<Claim> granted) {
        boolean onlyByShare = decision.never() && asked.stream().allMatch(ShareStore::grantedInFull);
        return new Decision(
                decision.allowed(),
                asked(decision.limit(), asked, granted),
                decision.remaining(),
                decision.waitNanos(),
                onlyByShare ? asked.get(0).limits().shortestWindowNanos() : decision.retryAfterNanos(),
                decision.resetAfterNanos(),
                true);
    }

    /** The limit in whose place this one was granted; or one that is equal, since denials that stand are of limits asked before. */
    private static Limit asked(Limit bound, List<Claim> asked, List<Claim> granted) {
        Limit equal = null;
        for (int i = 0; i < granted.size(); i++) {
            List<Limit> limits = granted.get(i).limits().list();
            for (int place = 0; place < limits.size(); place++) {
                Limit instead = asked.get(i).limits().list().get(place);
                if (limits.get(place) == bound) {
                    return instead;
                }
                if (equal == null && limits.get(place).equals(bound)) {
                    equal = instead;
                }
            }
        }
        return Objects.requireNonNull(equal);
    }

    /** Whether the whole limits would ever grant this. */
    private static boolean grantedInFull(Claim claim) {
        return claim.limits().list().stream().allMatch(limit -> claim.permits() <= limit.mostAtOnce());
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
