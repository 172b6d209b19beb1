package dev.weir.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.algorithm.Rule.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each algorithm against its definition after every step of random traces, and the methods that decisions do not show: whether a
 * state is idle, for how long what remains is known, and whether grants may join the newest entry.
 */
class AlgorithmTest {
    private static final int TRACES = (int) Math.min(20_000, 100 + Long.getLong("weir.traces", 10_000) / 50);
    private static final int STEPS = 120;

    /** Windows of nearly 73 years, in which little time passes. */
    private static final long VAST = Duration.ofDays(73 * 365 - 1).toNanos();

    /** The kinds between which the rules of one trace change; none for the classic estimate. */
    static Stream<List<Kind>> kinds() {
        return Stream.of(
                List.of(Kind.LOG),
                List.of(Kind.LOG, Kind.ATTEMPTS),
                List.of(Kind.CONSERVATIVE),
                List.of(Kind.CLASSIC),
                List.of(Kind.ALIGNED),
                List.of(Kind.FIRST),
                List.of(Kind.ALIGNED, Kind.FIRST),
                List.of(Kind.TOKEN_BUCKET),
                List.of(Kind.GCRA),
                List.of(Kind.LEAKY_BUCKET),
                List.of(Kind.UNLIMITED));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void steps_anyRule_asByDefinition(List<Kind> kinds) {
        int joins = 0;
        for (long seed = 0; seed < TRACES; seed++) {
            Trace trace = new Trace(kinds, new SplittableRandom(seed));
            for (int i = 0; i < STEPS; i++) {
                trace.step();
            }
            joins += trace.joins;
        }
        boolean keepsEntries = kinds.get(0).compareTo(Kind.TOKEN_BUCKET) < 0;
        assertThat(joins > TRACES / 10)
                .as("%d grants could join an entry", joins)
                .isEqualTo(keepsEntries);
    }

    @Test
    void joinsFor_secondGrantOfTick_lastsUntilTheTickEnds() {
        Algorithm log = Algorithms.of(Rule.of(Kind.LOG, "", 5, 100, 10, 0).limit());
        LimitState state = LimitState.create(0);
        log.tryGrant(state, 11, 1);
        assertThat(log.joinsFor(state, 11, 1)).isZero();

        log.tryGrant(state, 12, 1);
        assertThat(log.joinsFor(state, 12, 1)).isEqualTo(21 - 12);
        assertThat(log.joinsFor(state, 20, 1)).isEqualTo(1);
        assertThat(log.joinsFor(state, 21, 1)).isZero();
    }

    @Test
    void joinsFor_logWithReservations_isTheSame() {
        Algorithm log = Algorithms.of(Rule.of(Kind.LOG, "", 5, 100, 10, 0).limit());
        LimitState state = LimitState.create(0);
        log.reserve(state, 11, 0, 2);

        assertThat(log.joinsFor(state, 12, 1)).isEqualTo(21 - 12);
        log.reserve(state, 12, 50, 1);
        assertThat(log.joinsFor(state, 12, 1)).as("while one is pending").isZero();
    }

    @Test
    void tryGrant_morePermitsInATickThanAnIntHolds_countsAll() {
        long half = 2_000_000_000;
        Algorithm log =
                Algorithms.of(Rule.of(Kind.LOG, "", 2 * half, 100, 10, 0).limit());
        LimitState state = LimitState.create(0);
        log.tryGrant(state, 11, half);
        assertThat(log.tryGrant(state, 12, half)).isZero();

        List<Long> weights = new ArrayList<>();
        log.forEachRun(state, 12, (stamp, weight, pending) -> weights.add(weight));
        assertThat(weights).containsExactly(2 * half);
        assertThat(log.earliest(state, 12, 0, 1)).isEqualTo(20 + 100 - 12);
        assertThat(log.remaining(state, 120)).isEqualTo(2 * half);
    }

    @Test
    void adopt_refundedRunThatCountsLaterNow_isForgotten() {
        Algorithm coarse = Algorithms.of(Rule.of(Kind.LOG, "", 5, 100, 10, 0).limit());
        LimitState state = LimitState.create(-50);
        coarse.tryGrant(state, -50, 1); // counts in a window of 100, not in one of 20
        coarse.reserve(state, 1, 5, 1).accept(1);

        Algorithm fine = Algorithms.of(Rule.of(Kind.LOG, "", 5, 20, 1, 0).limit());
        assertThat(fine.adopt(state, coarse, 1)).isTrue();

        assertThat(fine.resetAfter(state, 1)).isZero();
        assertThat(fine.remaining(state, 1)).isEqualTo(5);
        assertThat(fine.isIdle(state, 1))
                .as("it still counts in the wider window")
                .isFalse();
    }

    @Test
    void joinsFor_fixedWindowAfterRefundsAndWaits_lastsUntilTheWindowEnds() {
        Algorithm window = Algorithms.of(Rule.of(Kind.ALIGNED, "", 5, 100, 1, 0).limit());
        LimitState state = LimitState.create(0);
        window.reserve(state, 0, 0, 3).accept(1);
        assertThat(window.joinsFor(state, 10, 0)).isEqualTo(90);

        window.reserve(state, 10, 100, 1);
        assertThat(window.joinsFor(state, 10, 0))
                .as("another window is pending")
                .isZero();
        assertThat(window.remaining(state, 120)).isEqualTo(4);
        assertThat(window.joinsFor(state, 120, 0)).isEqualTo(80);
    }

    private record Granted(LongConsumer refund, Oracle.Refund expected, long permits) {}

    /** One state, and its definition. */
    private static final class Trace {
        private final List<Kind> kinds;
        private final SplittableRandom random;
        private final long scale;
        private final boolean vast;
        private final List<Granted> refundable = new ArrayList<>();
        private final LimitState state;
        private final Oracle oracle;
        private Algorithm algorithm;
        private long now;
        private int joins;

        Trace(List<Kind> kinds, SplittableRandom random) {
            this.kinds = kinds;
            this.random = random;
            scale = random.nextInt(4) == 0 ? 1_000_000 : 1;
            vast = kinds.get(0).compareTo(Kind.FIRST) <= 0 && random.nextInt(8) == 0;
            now = random.nextInt(3) == 0 ? -random.nextLong(50 * scale) : random.nextLong(50 * scale);
            Rule rule = rule(2 + random.nextLong(40 * scale));
            algorithm = Algorithms.of(rule.limit());
            oracle = Oracle.of(rule, now);
            state = LimitState.create(now);
        }

        private Rule rule(long lengthUnlessVast) {
            long window = vast ? VAST - random.nextInt(3) : lengthUnlessVast;
            Kind kind = kinds.get(random.nextInt(kinds.size()));
            long permits = 1 + random.nextLong(random.nextInt(4) == 0 ? 200 : 6);
            long option = 1
                    + random.nextLong(
                            switch (kind) {
                                case LOG, ATTEMPTS -> random.nextBoolean() ? 1 : span(window);
                                case CONSERVATIVE, CLASSIC -> Math.min(window, 20);
                                default -> 8;
                            });
            long margin = kind == Kind.LOG && random.nextInt(4) == 0 ? random.nextLong(4) : 0;
            return Rule.of(kind, "", permits, window, option, margin);
        }

        /** Returns about the time that the steps of a trace should cover several times. */
        private long span(long window) {
            return vast ? 100 : window;
        }

        private long span() {
            return span(oracle.rule().window());
        }

        void step() {
            now += switch (random.nextInt(8)) {
                case 0, 1, 2 -> 0;
                case 3 -> random.nextLong(2 * span());
                case 4 -> Math.max(0, near(algorithm.resetAfter(LimitState.copyOf(state), now)) - random.nextInt(2));
                case 5 -> near(algorithm.earliest(LimitState.copyOf(state), now, 0, 1));
                default -> random.nextLong(1 + span() / 4);
            };
            oracle.forget(now);
            assertThat(algorithm.isIdle(state, now)).as("idle: %s", this).isEqualTo(oracle.idle(now));
            long permits = 1 + random.nextLong(random.nextInt(5) == 0 ? 8 : 2);
            long from = random.nextInt(4) == 0 ? random.nextLong(vast ? Long.MAX_VALUE : 3 * span()) : 0;
            compare(LimitState.copyOf(state), permits, from);
            staysSteady();
            decide(permits, from);
            compare(random.nextInt(4) == 0 ? state : LimitState.copyOf(state), permits, from);
        }

        private long near(long wait) {
            return Math.min(wait, 100 * span());
        }

        private void decide(long permits, long from) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> tryGrant(permits);
                case 4, 5, 6 -> reserve(from, permits);
                case 7 -> refund();
                case 8 ->
                    assertThat(algorithm.recordDenied(state, now, permits)).isEqualTo(oracle.denied(now, permits));
                default -> change();
            }
        }

        private void tryGrant(long permits) {
            boolean fits = oracle.earliest(now, 0, permits) == 0;
            if (fits) {
                Oracle.Refund unused = oracle.grant(now, 0, permits);
            }
            assertThat(algorithm.tryGrant(state, now, permits))
                    .as("%s", this)
                    .isEqualTo(fits ? oracle.remaining(now) : Algorithm.DENIED);
            if (fits) {
                joins(permits);
            }
        }

        private void reserve(long from, long permits) {
            long wait = algorithm.earliest(state, now, from, permits);
            if (wait > Algorithm.MAX_WAIT) {
                return;
            }
            boolean can = oracle.mayReserve(now, wait, permits);
            assertThat(algorithm.canGrant(state, now, wait, permits))
                    .as("%s", this)
                    .isEqualTo(can);
            assertThat(algorithm.retryAfter(state, now, wait, permits)).isEqualTo(oracle.retry(now, wait, permits));
            if (!can) {
                return;
            } else if (wait == 0 && random.nextBoolean()) {
                Oracle.Refund unused = oracle.grant(now, 0, permits);
                algorithm.grant(state, now, permits);
            } else {
                LongConsumer refund = algorithm.reserve(state, now, wait, permits);
                refundable.add(new Granted(refund, oracle.grant(now, wait, permits), permits));
            }
        }

        private void refund() {
            if (!refundable.isEmpty()) {
                Granted granted = refundable.remove(random.nextInt(refundable.size()));
                long refunded = 1 + random.nextLong(granted.permits);
                granted.refund.accept(refunded);
                granted.expected.permits(refunded);
            }
        }

        private void change() {
            if (kinds.get(0) != Kind.CLASSIC && random.nextInt(4) == 0) {
                Rule rule = rule(random.nextBoolean() ? oracle.rule().window() : 2 + random.nextLong(40 * scale));
                Algorithm changed = Algorithms.of(rule.limit());
                assertThat(changed.adopt(state, algorithm, now)).isTrue();
                oracle.changeTo(rule, now);
                algorithm = changed;
                refundable.clear();
            }
        }

        /** What remains does not change before the time that is named; a used-up limit names one, unless it is a queue. */
        private void staysSteady() {
            LimitState copy = LimitState.copyOf(state);
            long steady = algorithm.steadyFor(copy, now);
            long remaining = algorithm.remaining(copy, now);
            assertThat(steady > 0 || remaining > 0 || oracle.rule().kind() == Kind.LEAKY_BUCKET)
                    .isTrue();
            if (steady > 0) {
                long last = Math.min(steady, 10 * span()) - 1;
                long middle = random.nextLong(last + 1);
                assertThat(algorithm.remaining(copy, now + middle))
                        .as("%s", this)
                        .isEqualTo(remaining);
                assertThat(algorithm.remaining(copy, now + last)).as("%s", this).isEqualTo(remaining);
            }
        }

        /** Until the time that is named, it does not matter when permits are granted. */
        private void joins(long latest) {
            long time = algorithm.joinsFor(state, now, latest);
            List<List<Long>> runs = merged(oracle.runs(now));
            boolean first = runs.isEmpty() || runs.get(runs.size() - 1).get(1) <= latest;
            assertThat(time > 0 && first)
                    .as("joins the first grant of an entry: %s", this)
                    .isFalse();
            if (time > 0) {
                long then = now + random.nextLong(Math.min(time, 10 * span()));
                LimitState joined = LimitState.copyOf(state);
                LimitState granted = LimitState.copyOf(state);
                if (algorithm.earliest(granted, then, 0, 1) == 0) {
                    algorithm.grant(joined, now, 1);
                    algorithm.grant(granted, then, 1);
                    assertThat(read(joined, then)).as("%s", this).isEqualTo(read(granted, then));
                    joins++;
                }
            }
        }

        private List<Object> read(LimitState of, long at) {
            return List.of(
                    algorithm.remaining(of, at),
                    algorithm.resetAfter(of, at),
                    algorithm.earliest(of, at, 0, 1),
                    algorithm.earliest(of, at, 0, oracle.rule().permits()),
                    runs(of, at, false));
        }

        private void compare(LimitState of, long permits, long from) {
            assertThat(algorithm.earliest(of, now, from, permits))
                    .as("earliest for %d from %d: %s", permits, from, this)
                    .isEqualTo(oracle.earliest(now, from, permits));
            assertThat(algorithm.remaining(of, now)).as("%s", this).isEqualTo(oracle.remaining(now));
            assertThat(algorithm.resetAfter(of, now)).as("%s", this).isEqualTo(oracle.resetAfter(now));
            assertThat(runs(of, now, false)).as("%s", this).isEqualTo(merged(oracle.runs(now)));
            assertThat(runs(of, now, true)).as("%s", this).isEqualTo(merged(oracle.pending(now)));
        }

        private List<List<Long>> runs(LimitState of, long at, boolean ofPending) {
            List<long[]> runs = new ArrayList<>();
            algorithm.forEachRun(of, at, (stamp, weight, pending) -> {
                if (pending == ofPending) {
                    runs.add(new long[] {stamp, weight});
                }
            });
            return merged(runs);
        }

        /** Merges runs of one stamp. */
        private static List<List<Long>> merged(List<long[]> runs) {
            List<List<Long>> merged = new ArrayList<>();
            for (long[] run : runs) {
                int last = merged.size() - 1;
                boolean same = last >= 0 && merged.get(last).get(0) == run[0];
                long before = same ? merged.remove(last).get(1) : 0;
                merged.add(List.of(run[0], before + run[1]));
            }
            return merged;
        }

        @Override
        public String toString() {
            return oracle.rule() + " at " + now;
        }
    }
}
