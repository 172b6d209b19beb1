package dev.weir.algorithm;

import dev.weir.algorithm.Rule.Kind;
import dev.weir.algorithm.Scenario.Op;
import dev.weir.algorithm.Scenario.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One key with 60,000 runs and 1,000 pending reservations where a search takes longest: every decision is compared with the
 * definition. {@code -Dweir.traces=1000000} makes it longer, as for {@link OracleTest}.
 */
@Tag("large")
class ManyPendingTest {
    private static final int RUNS = 60_000;
    private static final int PENDING = 1_000;
    private static final long TICK = 1_000;
    private static final long WINDOW = RUNS * TICK;
    private static final int OPERATIONS = (int) Math.min(50_000, Long.getLong("weir.traces", 10_000) / 75);

    private static final List<Op> OPS =
            List.of(Op.TRY, Op.RESERVE, Op.RESERVE, Op.RESERVE, Op.PEEK, Op.INSPECT, Op.CANCEL, Op.CANCEL);

    private final List<Step> trace = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(Long.getLong("weir.seed", 1));

    private static Rule log(long permits, long window, long resolution) {
        return Rule.of(Kind.LOG, "", permits, window, resolution, 0);
    }

    private void add(int times, long pass, Op op, long permits, long maxWait) {
        trace.add(new Step(times, pass, op, permits, maxWait, random.nextInt() >>> 1));
    }

    /** Fills the log, one permit a tick; every 64th can be refunded. */
    private void fill() {
        for (int i = 0; i < RUNS / 64; i++) {
            add(63, TICK, Op.TRY, 1, 0);
            add(1, TICK, Op.RESERVE, 1, 0);
        }
    }

    /** Reserves until {@link #PENDING} reservations wait, with these weights in rotation. */
    private void reserve(long... permits) {
        for (int i = 0; i < PENDING; i++) {
            add(1, 0, Op.RESERVE, permits[i % permits.length], Long.MAX_VALUE);
        }
    }

    /** Cancels the reservations with these numbers, from the first pending one; none was cancelled before. */
    private void cancelEvery(int distance) {
        for (int i = RUNS / 64; i < RUNS / 64 + PENDING; i += distance) {
            trace.add(new Step(1, 0, Op.CANCEL, 1, 0, i));
        }
    }

    private void operate(long... permits) {
        for (int i = 0; i < OPERATIONS; i++) {
            long pass = random.nextInt(4) > 0 ? 0 : random.nextLong(random.nextInt(50) == 0 ? 200 * TICK : 3 * TICK);
            Op op = OPS.get(random.nextInt(OPS.size()));
            long k = permits[random.nextInt(permits.length)];
            add(1, pass, op, k, random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong(2 * WINDOW));
        }
    }

    private void check(Rule... rules) {
        new OracleTrace(new Scenario(List.of(rules))).check(trace);
    }

    @Test
    void sixtyThousandRuns_everyOtherPlaceFull_asByDefinition() {
        fill();
        reserve(1);
        cancelEvery(2);
        operate(1, 1, 1, 2);
        check(log(RUNS, WINDOW, TICK));
    }

    @Test
    void sixtyThousandRuns_weightsAndFineTicks_asByDefinition() {
        fill();
        reserve(1, 3, 7, 2, 1, 20);
        cancelEvery(3);
        operate(1, 2, 5, 19, 300, 7_000, RUNS);
        check(log(RUNS, WINDOW - 7, 1));
    }

    @Test
    void sixtyThousandRuns_startsForcedByLogs_asByDefinition() {
        fill();
        reserve(1);
        cancelEvery(4);
        operate(1, 1, 2, 3, 11);
        check(log(RUNS, WINDOW, TICK), log(3, 5 * TICK, 1), log(1_000, 997 * TICK, 13));
    }

    @Test
    void sixtyThousandRuns_startsForcedBySchedules_asByDefinition() {
        fill();
        reserve(1);
        cancelEvery(3);
        operate(1, 1, 2);
        check(
                log(RUNS, WINDOW, TICK),
                Rule.of(Kind.LEAKY_BUCKET, "", 1, TICK - 3, 20_000, 0),
                Rule.of(Kind.GCRA, "", 1, TICK - 1, 3, 0),
                Rule.of(Kind.CONSERVATIVE, "", RUNS / 2, WINDOW / 2, 500, 0));
    }
}
