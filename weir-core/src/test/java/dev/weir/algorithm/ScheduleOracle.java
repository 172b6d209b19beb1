package dev.weir.algorithm;

import java.math.BigInteger;

/** Gcra, token bucket and leaky bucket: a theoretical arrival time, as an exact number of N-ths of a nanosecond. */
final class ScheduleOracle extends Oracle {
    private static final BigInteger MOST = BigInteger.valueOf(NEVER);

    private BigInteger rate;
    private BigInteger window;
    private BigInteger arrival;
    private Object epoch = new Object(); // a change of the limit ends what can be refunded

    ScheduleOracle(Rule rule, long now) {
        super(rule);
        rate = BigInteger.valueOf(rule.permits());
        window = BigInteger.valueOf(rule.window());
        arrival = parts(now);
    }

    private BigInteger parts(long nanos) {
        return BigInteger.valueOf(nanos).multiply(rate);
    }

    private BigInteger cost(long permits) {
        return BigInteger.valueOf(permits).multiply(window);
    }

    private boolean queue() {
        return rule().kind() == Rule.Kind.LEAKY_BUCKET;
    }

    private long burst() {
        return rule().option();
    }

    private long roundedUp(BigInteger parts) {
        return parts.signum() <= 0
                ? 0
                : parts.add(rate)
                        .subtract(BigInteger.ONE)
                        .divide(rate)
                        .min(MOST)
                        .longValueExact();
    }

    /** The wait until the burst has room for k more. */
    private long untilRoom(long now, long k) {
        return roundedUp(
                arrival.max(parts(now)).add(cost(k)).subtract(parts(now)).subtract(cost(burst())));
    }

    private long own(long now, long k) {
        return k > burst() ? NEVER : queue() ? resetAfter(now) : untilRoom(now, k);
    }

    @Override
    long earliest(long now, long from, long k) {
        return Math.max(from, own(now, k));
    }

    /** A start that another limit forces later than this limit's own fit is refused. */
    @Override
    boolean mayReserve(long now, long wait, long k) {
        return (!queue() || untilRoom(now, k) == 0) && (wait == 0 || wait == own(now, k));
    }

    /** When a full queue has room, if the request waits for that: it may start only at its own fit. */
    @Override
    long retry(long now, long wait, long k) {
        boolean full = queue() && untilRoom(now, k) > 0 && wait == own(now, k);
        return full ? untilRoom(now, k) : super.retry(now, wait, k);
    }

    @Override
    Refund grant(long now, long wait, long k) {
        BigInteger before = arrival;
        BigInteger base = arrival.max(parts(now).add(parts(queue() ? 0 : wait)));
        BigInteger granted = base.add(cost(k));
        Object epochBefore = epoch;
        boolean[] used = {false};
        arrival = granted;
        return back -> {
            if (!used[0] && arrival.equals(granted) && epoch == epochBefore) {
                arrival = back == k ? before : base.add(cost(k - back));
            }
            used[0] = true;
        };
    }

    @Override
    long remaining(long now) {
        BigInteger owed = arrival.subtract(parts(now)).max(BigInteger.ZERO);
        BigInteger whole = owed.add(window).subtract(BigInteger.ONE).divide(window);
        return BigInteger.valueOf(burst()).subtract(whole).max(BigInteger.ZERO).longValueExact();
    }

    @Override
    long resetAfter(long now) {
        return roundedUp(arrival.subtract(parts(now)));
    }

    @Override
    Oracle copy() {
        ScheduleOracle copy = new ScheduleOracle(rule(), 0);
        copy.arrival = arrival;
        return copy;
    }

    @Override
    void change(Rule changed, long now) {
        epoch = new Object();
        BigInteger before = rate;
        rate = BigInteger.valueOf(changed.permits());
        window = BigInteger.valueOf(changed.window());
        BigInteger[] exact = arrival.multiply(rate).divideAndRemainder(before);
        arrival = exact[1].signum() > 0 ? exact[0].add(BigInteger.ONE) : exact[0];
    }
}
