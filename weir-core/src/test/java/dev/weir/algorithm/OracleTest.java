package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.testkit.TraceProperty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every field of every decision, of every algorithm, against the {@link Oracle} on random traces. */
class OracleTest {
    private static final int CASES = 6_000;
    private static final int STEPS = 60;

    private enum Op {
        TRY,
        RESERVE,
        PEEK,
        GIVE_BACK,
        CHANGE
    }

    /** Turns the clock by {@code pass}, then does {@code op} with these numbers. */
    private record Step(long pass, Op op, long permits, long maxWait, int which) {}

    /** A limit from random numbers: {@code which} picks the options. */
    private static final List<Function<SplittableRandom, Limit>> LIMITS = List.of(
            random -> Limit.slidingLog(permits(random), nanos(20))
                    .resolution(nanos(1 + random.nextInt(random.nextBoolean() ? 1 : 20))),
            random -> Limit.slidingLog(permits(random), nanos(7 + random.nextInt(30)))
                    .resolution(nanos(7))
                    .margin(nanos(random.nextInt(3))),
            random -> Limit.slidingLog(permits(random), nanos(20))
                    .resolution(nanos(1 + random.nextInt(6)))
                    .count(Limit.SlidingLog.Count.ATTEMPTS),
            random -> Limit.slidingWindow(permits(random), nanos(20)).buckets(1 + random.nextInt(6)),
            random -> Limit.slidingWindow(permits(random), nanos(20))
                    .buckets(1 + random.nextInt(6))
                    .estimate(Limit.SlidingWindow.Estimate.CLASSIC),
            random -> Limit.fixedWindow(permits(random), nanos(10 + random.nextInt(20))),
            random -> Limit.fixedWindow(permits(random), nanos(10 + random.nextInt(20)))
                    .align(Limit.FixedWindow.Align.FIRST),
            random -> Limit.gcra(permits(random), nanos(5 + random.nextInt(20))).burst(1 + random.nextInt(4)),
            random -> Limit.tokenBucket(permits(random), nanos(5 + random.nextInt(20)))
                    .burst(1 + random.nextInt(8)),
            random -> Limit.leakyBucket(permits(random), nanos(5 + random.nextInt(20)))
                    .capacity(1 + random.nextInt(8)));

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    private static long permits(SplittableRandom random) {
        return random.nextLong(1, 8);
    }

    private static Step step(SplittableRandom random) {
        long pass = random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(8) == 0 ? 60 : 6);
        if (random.nextInt(20) == 0) {
            pass = -(long) random.nextInt(random.nextInt(3) == 0 ? 100 : 6);
        }
        Op op = Op.values()[random.nextInt(8) < 4 ? random.nextInt(2) : random.nextInt(5)];
        return new Step(
                pass, op, 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 2), random.nextInt(60), random.nextInt(64));
    }

    @Test
    void slidingLog_anyTrace_asByDefinition() {
        check(0);
        check(1);
    }

    @Test
    void slidingLog_countingAttempts_asByDefinition() {
        check(2);
    }

    @Test
    void slidingWindow_anyTrace_asByDefinition() {
        check(3);
        check(4);
    }

    @Test
    void fixedWindow_anyTrace_asByDefinition() {
        check(5);
        check(6);
    }

    @Test
    void gcra_anyTrace_asByDefinition() {
        check(7);
    }

    @Test
    void tokenBucket_anyTrace_asByDefinition() {
        check(8);
    }

    @Test
    void leakyBucket_anyTrace_asByDefinition() {
        check(9);
    }

    private static void check(int kind) {
        TraceProperty.check(1000L * kind, CASES, STEPS, OracleTest::step, trace -> new Run(kind, trace).check());
    }

    /** One trace through both. */
    private static final class Run {
        private final List<Step> trace;
        private final List<Limit> limits = new ArrayList<>();
        private final AtomicLong time = new AtomicLong(1_000);
        private final RateLimiter limiter;
        private final Oracle oracle;
        private final List<Reservation> reservations = new ArrayList<>();
        private final List<Oracle.GiveBack> giveBacks = new ArrayList<>();
        private final List<Long> booked = new ArrayList<>();
        private Limit limit;
        private Limit current;
        private Oracle.GiveBack giveBack;
        private long last;
        private long read; // the latest reading: the source may go backwards, the store's time does not
        private @Nullable Standing standing;

        /** A denial that is repeated as it is until a permit fits: who meets it leaves no trace, not even of the time. */
        private record Standing(Limit limit, long until) {}

        Run(int kind, List<Step> trace) {
            this.trace = trace;
            for (int i = 0; i < 8; i++) {
                limits.add(LIMITS.get(kind).apply(new SplittableRandom(i % 3 + 31L * trace.get(0).which)));
            }
            limit = limits.get(0);
            limiter = RateLimiter.builder()
                    .limits(Limits.of(limit))
                    .timeSource(time::get)
                    .build();
            last = time.get();
            read = last;
            oracle = Oracle.of(limit, last);
            limiter.tryAcquire("key");
            expected(Op.TRY, 1, 0);
        }

        void check() {
            for (Step step : trace) {
                time.addAndGet(step.pass);
                switch (step.op) {
                    case TRY -> same(limiter.tryAcquire("key", step.permits), expected(Op.TRY, step.permits, 0), step);
                    case PEEK -> same(limiter.peek("key", step.permits), expected(Op.PEEK, step.permits, 0), step);
                    case RESERVE -> {
                        Reservation mine = limiter.reserve("key", step.permits, Duration.ofNanos(step.maxWait));
                        same(mine.decision(), expected(Op.RESERVE, step.permits, step.maxWait), step);
                        if (mine.decision().allowed()) {
                            reservations.add(mine);
                            giveBacks.add(giveBack);
                            booked.add(step.permits);
                        }
                    }
                    case GIVE_BACK -> {
                        if (!reservations.isEmpty()) {
                            giveBack(step.which % reservations.size(), step.permits == 1);
                        }
                    }
                    case CHANGE -> {
                        limit = limits.get(step.which % limits.size());
                        limiter.changeLimits(Limits.of(limit));
                    }
                }
            }
        }

        private void giveBack(int i, boolean whole) {
            long left = booked.get(i);
            standing = left > 0 ? null : standing;
            if (whole && reservations.get(i).cancel()) {
                giveBacks.get(i).permits(left);
                booked.set(i, 0L);
            } else if (left > 0 && reservations.get(i).refund(1)) {
                giveBacks.get(i).permits(1);
                booked.set(i, left - 1);
            }
        }

        private Decision expected(Op op, long permits, long maxWait) {
            read = Math.max(read, time.get());
            long reading = read;
            long now = Math.max(reading, last);
            boolean peek = op == Op.PEEK;
            boolean repeated = op == Op.TRY
                    && permits == 1
                    && standing != null
                    && standing.limit.equals(limit)
                    && reading < standing.until;
            Oracle asked = oracle;
            if (peek && !limit.equals(current)) { // a look leaves the limits as they were
                standing = null;
                asked = oracle.copy();
                asked.forget(now);
                asked.change(limit, now);
            } else {
                if (!repeated) {
                    last = now;
                    oracle.forget(now);
                }
                if (!limit.equals(current)) {
                    if (current != null) {
                        oracle.change(limit, now);
                    }
                    current = limit;
                }
            }
            long lag = now - reading;
            long wait = asked.earliest(now, permits);
            boolean inTime = wait == 0 || (wait <= maxWait - lag && wait != Oracle.NEVER);
            boolean allowed = inTime && asked.mayBook(now, wait, permits);
            if (allowed && !peek) {
                giveBack = asked.book(now, wait, permits);
            }
            long retry = allowed ? 0 : inTime ? asked.retry(now, wait, permits) : wait;
            boolean remembered = !allowed && !peek && asked.denied(now, permits);
            if (remembered) {
                retry = asked.earliest(now, permits);
            }
            if (!repeated) {
                boolean stands = op == Op.TRY && !allowed && permits == 1 && asked.remaining(now) == 0 && !remembered;
                standing = stands && !(limit instanceof Limit.LeakyBucket) ? new Standing(limit, now + retry) : null;
            }
            long reset = asked.resetAfter(now) + lag;
            return allowed
                    ? Decision.allowed(limit, asked.remaining(now), wait > 0 ? wait + lag : 0, reset, now)
                    : Decision.denied(
                            limit, asked.remaining(now), retry == Oracle.NEVER ? retry : retry + lag, reset, now);
        }

        private void same(Decision decided, Decision expected, Step step) {
            assertThat(decided).as("%s at %d", step, time.get()).isEqualTo(expected);
        }
    }
}
