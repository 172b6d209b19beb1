package dev.weir.algorithm;

import dev.weir.Limit;
import java.math.BigInteger;

/** Gcra, token bucket and leaky bucket: a theoretical arrival time, as an exact number of N-ths of a nanosecond. */
final class ScheduleOracle extends Oracle {
    private Limit limit;
    private BigInteger arrival;
    private int changes;

    ScheduleOracle(Limit limit, long now) {
        this.limit = limit;
        this.arrival = parts(now);
    }

    private BigInteger parts(long nanos) {
        return BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(limit.permits()));
    }

    private BigInteger cost(long permits) {
        return BigInteger.valueOf(permits).multiply(BigInteger.valueOf(limit.windowNanos()));
    }

    private boolean queue() {
        return limit instanceof Limit.LeakyBucket;
    }

    private long burst() {
        if (limit instanceof Limit.TokenBucket bucket) {
            return bucket.burst();
        }
        return limit instanceof Limit.LeakyBucket bucket ? bucket.capacity() : ((Limit.Gcra) limit).burst();
    }

    private long roundedUp(BigInteger parts) {
        return parts.signum() <= 0
                ? 0
                : parts.add(BigInteger.valueOf(limit.permits() - 1))
                        .divide(BigInteger.valueOf(limit.permits()))
                        .longValueExact();
    }

    private long untilRoom(long now, long k) {
        return roundedUp(
                arrival.max(parts(now)).add(cost(k)).subtract(parts(now)).subtract(cost(burst())));
    }

    @Override
    long earliest(long now, long k) {
        return k > burst() ? NEVER : queue() ? resetAfter(now) : untilRoom(now, k);
    }

    @Override
    boolean mayBook(long now, long wait, long k) {
        return !queue() || untilRoom(now, k) == 0;
    }

    @Override
    long retry(long now, long wait, long k) {
        return queue() && untilRoom(now, k) > 0 ? untilRoom(now, k) : wait;
    }

    @Override
    GiveBack book(long now, long wait, long k) {
        BigInteger before = arrival;
        BigInteger base = arrival.max(parts(queue() ? now : now + wait));
        BigInteger booked = base.add(cost(k));
        int changesBefore = changes;
        boolean[] used = {false};
        arrival = booked;
        return back -> {
            if (!used[0] && arrival.equals(booked) && changes == changesBefore) {
                arrival = back == k ? before : base.add(cost(k - back));
            }
            used[0] = true;
        };
    }

    @Override
    long remaining(long now) {
        BigInteger owed = arrival.subtract(parts(now)).max(BigInteger.ZERO);
        BigInteger window = BigInteger.valueOf(limit.windowNanos());
        BigInteger whole = owed.add(window).subtract(BigInteger.ONE).divide(window);
        return BigInteger.valueOf(burst()).subtract(whole).max(BigInteger.ZERO).longValueExact();
    }

    @Override
    long resetAfter(long now) {
        return roundedUp(arrival.subtract(parts(now)));
    }

    @Override
    Oracle copy() {
        ScheduleOracle copy = new ScheduleOracle(limit, 0);
        copy.arrival = arrival;
        return copy;
    }

    @Override
    void change(Limit changed, long now) {
        changes++;
        BigInteger before = BigInteger.valueOf(limit.permits());
        limit = changed;
        BigInteger scaled = arrival.multiply(BigInteger.valueOf(limit.permits()));
        BigInteger[] exact = scaled.divideAndRemainder(before);
        arrival = exact[1].signum() == 0 ? exact[0] : exact[0].add(BigInteger.ONE);
    }
}
