package dev.weir.testkit;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A limiter, one of its keys, and the expected state of the key. Times are in ticks of the store. */
final class Subject {
    final RateLimiter limiter;
    final List<Limits> alternatives;
    Limits limits;
    long blockedUntil;

    private final Map<String, Grants> grants = new HashMap<>(); // by name and family of limits

    // Of the reservations since the latest refund or change: the latest start, and the permits of that one.
    private long latestStart;
    private long latestPermits;

    /** Creates a subject whose limiter has the first of these limits. */
    Subject(RateLimiter limiter, List<Limits> alternatives) {
        this.limiter = limiter;
        this.alternatives = alternatives;
        this.limits = alternatives.get(0);
        allowOvertaking();
    }

    /** Changes the limits. */
    void change(Limits changed) {
        limits = changed;
        limiter.changeLimits(changed);
        allowOvertaking();
    }

    /** Records that the key is not blocked any more. */
    void unblocked(long now) {
        blockedUntil = now;
        allowOvertaking();
    }

    /** Records that the key is reset. */
    void reset(long now) {
        unblocked(now);
        grants.clear();
    }

    List<Limit> list() {
        return limits.list();
    }

    /** Returns whether permits of one of the limits are counted by a method. */
    boolean counts(Method method) {
        return list().stream().anyMatch(limit -> limit.accounting().method() == method);
    }

    /** Returns what was granted under the limit at a position. */
    Grants grants(int position, long tickNanos, boolean undisturbed) {
        Limit limit = list().get(position);
        return grants.computeIfAbsent(
                limits.nameOf(position) + Grants.family(limit), absent -> new Grants(limit, tickNanos, undisturbed));
    }

    /** Records that later requests may start before the reservations so far, as permits were released or limits changed. */
    void allowOvertaking() {
        latestStart = Long.MIN_VALUE;
    }

    /** Records when a request starts. Returns whether it overtakes one that came earlier, for as many permits or fewer. */
    boolean overtakes(long now, long at, long permits) {
        boolean overtakes = permits >= latestPermits && at < latestStart;
        if (at > now && at >= latestStart) {
            latestStart = at;
            latestPermits = permits;
        }
        return overtakes;
    }
}
