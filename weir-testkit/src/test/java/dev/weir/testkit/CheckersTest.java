package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.Verdict.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The checkers report violations, and nothing else. */
class CheckersTest {

    private static TraceEvent at(long time, long permits) {
        return new TraceEvent(time, "key", permits, Kind.ALLOWED);
    }

    private static Verdict check(String limit, TraceEvent... events) {
        return TraceChecker.check(Limit.parse(limit), List.of(events));
    }

    @Test
    void slidingLog_oneTooManyInAWindow_namesTheWindow() {
        assertThat(check("3/10ns", at(10, 1), at(12, 2), at(20, 1)).holds()).isTrue(); // the first has just expired

        assertThat(check("3/10ns", at(19, 1), at(10, 1), at(12, 2)).violation())
                .isEqualTo(new Violation("key", 10, 19, 4, 3, "in a window"));
    }

    @Test
    void refundedPermits_doNotCount() {
        TraceEvent back = new TraceEvent(12, "key", 2, Kind.REFUNDED);

        assertThat(check("3/10ns", at(10, 1), at(12, 2), back, at(13, 2)).holds())
                .isTrue();
        assertThat(check("3/10ns", at(10, 1), at(12, 2), back, at(13, 3)).holds())
                .isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> check("3/10ns", at(12, 1), back))
                .withMessage("key 'key': the permits refunded at 12 exceed those granted by 1");
    }

    @Test
    void deniedEvents_doNotCount() {
        assertThat(check("1/10ns", at(10, 1), new TraceEvent(11, "key", 5, Kind.DENIED))
                        .holds())
                .isTrue();
    }

    @Test
    void severalKeys_oneBreaksTheLimit_isFound() {
        List<TraceEvent> trace = List.of(
                new TraceEvent(10, "a", 1, Kind.ALLOWED),
                new TraceEvent(11, "b", 2, Kind.ALLOWED),
                new TraceEvent(12, "c", 1, Kind.ALLOWED));

        assertThat(TraceChecker.check(Limit.parse("1/10ns"), trace))
                .isEqualTo(new Verdict(3, 3, new Violation("b", 11, 11, 2, 1, "in a window")));
    }

    @Test
    void otherAlgorithms_areHeldToTheirOwnBound() {
        assertThat(check("fixed-window 2/10ns", at(9, 2), at(10, 2)).holds()).isTrue();
        assertThat(check("fixed-window 2/10ns", at(10, 1), at(19, 2)).holds()).isFalse();
        assertThat(check("fixed-window 2/10ns", at(16, 2), at(19, 1)).holds()).isFalse();
        assertThat(check("fixed-window 2/10ns align=first", at(9, 2), at(10, 2)).holds())
                .isTrue();
        assertThat(check("fixed-window 2/10ns align=first", at(9, 2), at(10, 3)).holds())
                .isFalse();
        assertThat(check("token-bucket 2/10ns", at(0, 2), at(5, 1), at(10, 1)).holds())
                .isTrue();
        assertThat(check("token-bucket 2/10ns", at(0, 2), at(4, 1)).violation())
                .isEqualTo(new Violation("key", 0, 4, 3, 2, "burst and what was earned"));
        assertThat(check("gcra 2/10ns", at(0, 1), at(5, 1)).holds()).isTrue();
        assertThat(check("gcra 2/10ns", at(0, 1), at(4, 1)).holds()).isFalse();
        assertThat(check("leaky-bucket 3/10ns", at(0, 3), at(9, 2)).holds()).isTrue();
        assertThat(check("leaky-bucket 3/10ns", at(0, 3), at(9, 3)).holds()).isFalse();
        assertThat(check("sliding-window 1/10ns buckets=5 estimate=classic", at(1, 1), at(10, 1))
                        .holds())
                .isTrue();
        assertThat(check("sliding-window 1/10ns buckets=5 estimate=classic", at(1, 1), at(8, 1))
                        .holds())
                .isFalse();
    }

    @Test
    void leakyBucket_largestRequestPartlyRefunded_setsTheBound() {
        TraceEvent back = new TraceEvent(0, "key", 7, Kind.REFUNDED);
        assertThat(check("leaky-bucket 2/10ns capacity=10", at(0, 10), back).holds())
                .isTrue();
        assertThat(check("leaky-bucket 2/10ns capacity=10", at(0, 10), back, at(9, 2))
                        .holds())
                .isFalse();
    }

    @Test
    void boundBeyondAllLongs_isNotExceeded() {
        long most = Long.MAX_VALUE;
        for (String limit : List.of("leaky-bucket " + most + "/10ns", "fixed-window " + most + "/10ns align=first")) {
            assertThat(check(limit, at(10, most), at(11, most - 1)).holds()).isTrue();
        }
    }

    @Test
    void timesCenturiesApart_areNotNear() {
        assertThat(check("1/1s", at(-9_000_000_000_000_000_000L, 1), at(9_000_000_000_000_000_000L, 1))
                        .holds())
                .isTrue();
        assertThat(check("fixed-window 1/1s", at(-9_000_000_000_000_000_000L, 1), at(9_000_000_000_000_000_000L, 1))
                        .holds())
                .isTrue();
    }

    @Test
    void worstWindow_anyTrace_asByCountingEveryWindow() {
        SplittableRandom random = new SplittableRandom(9);
        for (int trial = 0; trial < 500; trial++) {
            long length = random.nextLong(1, 31);
            WorstWindow worst = new WorstWindow(length);
            List<long[]> events = new ArrayList<>();
            long time = -50;
            for (int i = 0; i < 60; i++) {
                time += random.nextInt(6);
                events.add(new long[] {random.nextInt(3), time, random.nextLong(1, 5)});
                worst.granted((int) events.get(i)[0], time, events.get(i)[2]);
            }
            long most = 0;
            for (long[] end : events) {
                most = Math.max(
                        most,
                        events.stream()
                                .filter(e -> e[0] == end[0] && end[1] - length < e[1] && e[1] <= end[1])
                                .mapToLong(e -> e[2])
                                .sum());
            }
            assertThat(worst.worst()).isEqualTo(most);
        }
    }

    @Test
    void worstWindowWithin_anyInstant_asByCounting() {
        SplittableRandom random = new SplittableRandom(10);
        WorstWindow window = new WorstWindow(20);
        List<Long> granted = new ArrayList<>();
        long time = -50;
        for (int i = 0; i < 500; i++) {
            time += random.nextInt(9);
            long now = time;
            assertThat(window.within(0, now))
                    .isEqualTo(granted.stream()
                            .filter(at -> now - 20 < at && at <= now)
                            .count());
            if (random.nextBoolean()) {
                window.granted(0, now, 1);
                granted.add(now);
            }
        }
        assertThat(window.within(1, time)).isZero();
    }

    @Test
    void worstWindow_uncertainTimes_countsCertainGrants() {
        WorstWindow worst = new WorstWindow(10);
        worst.granted(0, 0, 2, 5);

        worst.granted(0, 8, 9, 1);
        assertThat(worst.worst()).isEqualTo(6);
        worst.granted(0, 9, 10, 1); // the first five may have expired at 10

        assertThat(worst.worst()).isEqualTo(6);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> worst.granted(0, 12, 11, 1))
                .withMessage("latest must not be before earliest, was 11 and 12");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> worst.granted(0, 8, 12, 1))
                .withMessage("time must not decrease, went from 9 to 8");
    }

    @Test
    void worstWindow_timeGoingBack_isRejected() {
        WorstWindow worst = new WorstWindow(10);
        worst.granted(0, 5, 1);
        worst.granted(1, 3, 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> worst.granted(0, 4, 1))
                .withMessage("time must not decrease, went from 5 to 4");
        assertThatIllegalArgumentException().isThrownBy(() -> worst.granted(0, 4, 6, 1));
        worst.granted(0, 6, 9, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> worst.granted(0, 7, 8, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> worst.within(0, 4));
    }

    @Test
    void worstWindow_namesTheFirstOfTheWorst() {
        WorstWindow worst = new WorstWindow(10);
        assertThat(worst.worstKey()).isEqualTo(-1);
        worst.granted(1, 7, 2);
        worst.granted(40, 8, 2);
        worst.granted(40, 9, 3);
        worst.granted(1, 12, 3);

        assertThat(worst.worst()).isEqualTo(5);
        assertThat(worst.worstKey()).isEqualTo(40);
        assertThat(worst.worstEndNanos()).isEqualTo(9);
        assertThat(worst.within(40, 9)).isEqualTo(5);
        assertThat(worst.within(64, 9)).isZero();
    }

    @Test
    void traceProperty_broken_namesTheSeedAndTheFewestSteps() {
        assertThatThrownBy(() -> TraceProperty.check(100, 50, 40, random -> random.nextInt(10), trace -> {
                    if (trace.contains(7) && trace.contains(3)) {
                        throw new AssertionError("seven and three");
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("(?s)seed 1\\d\\d, 2 of \\d+ steps: \\[(7, 3|3, 7)]\nseven and three");
    }

    @Test
    void traceProperty_seedsBeyondTheLargest_areChecked() {
        List<Integer> traces = new ArrayList<>();

        TraceProperty.check(Long.MAX_VALUE, 3, 5, random -> 0, trace -> traces.add(trace.size()));

        assertThat(traces).hasSize(3);
    }

    @Test
    void traceProperty_nothingToCheck_isRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TraceProperty.check(1, 0, 5, random -> 0, trace -> {}))
                .withMessage("cases and maxSteps must be at least 1, were 0 and 5");
        assertThatIllegalArgumentException().isThrownBy(() -> TraceProperty.check(1, 5, 0, random -> 0, trace -> {}));
    }

    @Test
    void worstWindow_negativeNumbers_areRejected() {
        WorstWindow window = new WorstWindow(5);

        assertThatIllegalArgumentException().isThrownBy(() -> window.granted(-1, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> window.granted(0, 0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> window.within(-1, 0));
    }

    @Test
    void manualClock_advanced_releasesWaitersInOrderOfTime() {
        ManualTimeSource clock = new ManualTimeSource();
        List<String> released = new ArrayList<>();
        CompletableFuture<Void> second = clock.after(20).thenRun(() -> released.add("second"));
        CompletableFuture<Void> first = clock.after(10).thenRun(() -> released.add("first"));
        clock.advanceNanos(9);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        assertThat(clock.waiting()).isEqualTo(2);

        clock.advanceNanos(11);
        assertThat(released).containsExactly("first", "second");
    }
}
