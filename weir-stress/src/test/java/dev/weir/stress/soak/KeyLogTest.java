package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.weir.Limit;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

final class KeyLogTest {
    private static final long WIDEST = 10_000;

    private final KeyLog log = new KeyLog("k", 0, WIDEST);
    private final List<KeyLog.Event> events = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private final LongAdder undecided = new LongAdder();

    private static Limit limit(long permits, long window) {
        return Limit.slidingLog(permits, Duration.ofNanos(window)).resolution(Duration.ofNanos(1));
    }

    private Admission admitted(Limit limit, int permits, long at) {
        return admitted(limit, permits, at, at, at);
    }

    private Admission admitted(Limit limit, int permits, long start, long end, long stamp) {
        Admission admission = new Admission(log, limit, permits, start, end, stamp);
        events.add(admission);
        return admission;
    }

    private List<String> check(long now) {
        log.check(events, now, found::add, undecided);
        events.clear();
        return found;
    }

    @Test
    void check_limitReached_holds() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(5, 100), 5, 100);

        assertThat(check(100)).isEmpty();
    }

    @Test
    void check_oneTooMany_isFoundWithItsStamps() {
        admitted(limit(5, 100), 5, 1);
        check(50);
        admitted(limit(5, 100), 1, 100);

        assertThat(check(200))
                .singleElement(STRING)
                .startsWith("6 permits where 5 may be")
                .endsWith(limit(5, 100) + "\n    5 at 1\n    1 at 100");
    }

    @Test
    void check_raisedLimit_allowsTheDifference() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(8, 100), 3, 1);
        assertThat(check(1)).isEmpty();

        admitted(limit(8, 100), 1, 2);
        assertThat(check(2)).hasSize(1);
    }

    @Test
    void check_loweredLimit_countsPermitsOfTheOldOne() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(3, 100), 1, 99);

        assertThat(check(99)).hasSize(1);
    }

    @Test
    void check_widenedAfterAllExpired_mayHaveForgotten() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(5, 1000), 5, 100);

        assertThat(check(100)).isEmpty();
    }

    @Test
    void check_widenedBeforeExpiry_countsForTheWiderWindow() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(6, 1000), 1, 99);
        assertThat(check(100)).isEmpty();

        admitted(limit(6, 1000), 1, 999);
        assertThat(check(999)).hasSize(1);
    }

    @Test
    void check_refunded_countsUntilThen() {
        admitted(limit(5, 100), 5, 0).refund(2, 10, 11);
        admitted(limit(5, 100), 2, 12);
        assertThat(check(12)).isEmpty();

        admitted(limit(5, 100), 1, 13);
        assertThat(check(13)).hasSize(1);
    }

    @Test
    void check_admittedBeforeTheRefund_isFound() {
        admitted(limit(5, 100), 5, 0).refund(2, 10, 11);
        admitted(limit(5, 100), 1, 9);

        assertThat(check(20)).hasSize(1);
    }

    @Test
    void check_reset_forgetsEarlierPermits() {
        admitted(limit(5, 100), 5, 0);
        events.add(new KeyLog.Reset(log, 10, 11));
        admitted(limit(5, 100), 5, 12);
        assertThat(check(12)).isEmpty();

        admitted(limit(5, 100), 1, 13);
        assertThat(check(13)).hasSize(1);
    }

    @Test
    void check_overlappingReset_isAccepted() {
        admitted(limit(5, 100), 5, 9, 10, 9);
        events.add(new KeyLog.Reset(log, 10, 12));
        admitted(limit(5, 100), 5, 11, 13, 11);

        assertThat(check(13)).isEmpty();
        assertThat(undecided.sum()).isEqualTo(2);
    }

    @Test
    void check_overlappingCallWithShorterWindow_isUndecided() {
        admitted(limit(1, 50), 1, 0, 10, 0);
        admitted(limit(1, 100), 1, 5, 6, 60);

        assertThat(check(10)).isEmpty();
        assertThat(undecided.sum()).isEqualTo(1);
    }

    @Test
    void check_overlappingCalls_areFoundInAnyOrder() {
        admitted(limit(1, 100), 1, 0, 10, 0);
        admitted(limit(1, 100), 1, 1, 2, 1);

        assertThat(check(10)).isNotEmpty();
        assertThat(undecided.sum()).isZero();
    }

    @Test
    void check_overlappingCallsUnderOtherLimits_areAcceptedInAnyOrder() {
        admitted(limit(2, 100), 1, 0, 10, 0);
        admitted(limit(1, 100), 1, 1, 2, 1);

        assertThat(check(10)).isEmpty();
    }

    @Test
    void check_admittedBesidePendingReservation_isFound() {
        admitted(limit(5, 100), 3, 0, 0, 50);
        check(10);
        admitted(limit(5, 100), 3, 20);

        assertThat(check(20)).hasSize(1);
    }

    @Test
    void check_slowCallOnOldReading_isCheckedAtItsInstant() {
        admitted(limit(5, 100), 5, 0);
        admitted(limit(5, 100), 1, 10, 150, 10);

        assertThat(check(150)).hasSize(1);
    }

    @Test
    void check_deniedWithRoom_isFound() {
        admitted(limit(5, 100), 4, 0);
        events.add(new KeyLog.Denial(log, limit(5, 100), 2, 50, 51));
        assertThat(check(60)).isEmpty();

        events.add(new KeyLog.Denial(log, limit(5, 100), 1, 70, 71));
        assertThat(check(80)).singleElement(STRING).startsWith("denied 1 at 70");
    }

    @Test
    void check_deniedAfterALongerTick_mayCountUntilItsEnd() {
        Limit coarse = Limit.slidingLog(5, Duration.ofNanos(100)).resolution(Duration.ofNanos(20));
        admitted(coarse, 1, 3, 3, 20);
        admitted(limit(5, 100), 4, 10); // recorded at 20, not before the other
        events.add(new KeyLog.Denial(log, limit(5, 100), 2, 118, 118));
        assertThat(check(120)).isEmpty();

        events.add(new KeyLog.Denial(log, limit(5, 100), 2, 151, 151));
        assertThat(check(152)).hasSize(1);
    }

    @Test
    void check_deniedLongAfterAllExpired_isFound() {
        admitted(limit(5, 100), 5, 0);
        events.add(new KeyLog.Denial(log, limit(5, 100), 1, 103, 104));

        assertThat(check(110)).hasSize(1);
    }

    @Test
    void check_randomTraces_findsWhatTheTraceCheckerFinds() {
        int broken = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            broken += compare(new SplittableRandom(seed)) ? 0 : 1;
        }

        assertThat(broken).isBetween(200, 1_800);
    }

    /** Whether a random trace keeps its limit, on which both must agree. */
    private static boolean compare(SplittableRandom random) {
        Limit limit = limit(5, 100);
        KeyLog log = new KeyLog("k", 0, WIDEST);
        List<KeyLog.Event> events = new ArrayList<>();
        List<String> found = new ArrayList<>();
        List<TraceEvent> trace = new ArrayList<>();
        LongAdder undecided = new LongAdder();
        long time = 0;
        for (int i = 0; i < 12; i++) {
            time += 20 + random.nextInt(100);
            int permits = 1 + random.nextInt(3);
            trace.add(new TraceEvent(time, "k", permits, TraceEvent.Kind.ALLOWED));
            events.add(new Admission(log, limit, permits, time, time, time));
            if (random.nextInt(4) == 0) {
                log.check(events, time, found::add, undecided);
                events.clear();
            }
        }
        log.check(events, time, found::add, undecided);
        boolean holds = TraceChecker.check(limit, trace).holds();
        assertThat(found.isEmpty()).as("%s", trace).isEqualTo(holds);
        return holds;
    }

    @Test
    void heapMarks_muchMoreAtTheLastRest_areNotFlat() {
        assertThat(marks(50, 56).isFlat()).isTrue();
        assertThat(marks(50, 58).isFlat()).isFalse();
        assertThat(marks(50).isFlat()).isTrue();
    }

    private static HeapMarks marks(long... megabytes) {
        HeapMarks marks = new HeapMarks();
        for (long mark : megabytes) {
            marks.takeAtRest(mark << 20);
        }
        return marks;
    }
}
