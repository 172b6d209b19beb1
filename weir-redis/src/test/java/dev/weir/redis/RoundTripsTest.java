package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Estimates of the network's delay and of the load that the server can keep up with, from round trips. */
final class RoundTripsTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final RoundTrips trips = new RoundTrips(80 * MILLI);
    private long now;

    private Pipeline sent(double load) {
        return new Pipeline(List.of(), now, load);
    }

    private Pipeline sentAlone(double load) {
        Pipeline pipeline = sent(load);
        pipeline.sentAlone();
        return pipeline;
    }

    private void answer(Pipeline pipeline, double inFlight, long nanos) {
        now += nanos;
        trips.record(pipeline, inFlight, now);
    }

    private void assertKeepsUpWith(double load) {
        assertThat(trips.keepsUpWithMoreThan(load - 1.001)).isTrue();
        assertThat(trips.keepsUpWithMoreThan(load - 0.999)).isFalse();
    }

    @Test
    void expectedNanos_includesAMargin_ofAtMostFiveMilliseconds() {
        answer(sentAlone(0.1), 0.1, 30 * MILLI);
        assertThat(trips.expectedNanos()).isEqualTo(35 * MILLI);
        assertThat(trips.leadNanos()).isEqualTo(50 * MILLI);
        assertThat(new RoundTrips(16 * MILLI).expectedNanos()).isEqualTo(4 * MILLI);
    }

    @Test
    void leadNanos_slowNetwork_isThreeQuartersOfTheTimeout() {
        answer(sentAlone(0.1), 0.1, 70 * MILLI);
        assertThat(trips.leadNanos()).isEqualTo(60 * MILLI);
    }

    /** Requests sent behind others measure how long the server is busy, not the network. */
    @Test
    void sentBehindOthers_orAnsweredTooLate_isNotTheNetworkDelay() {
        answer(sentAlone(0.1), 0.1, 2 * MILLI);
        for (int i = 0; i < 100; i++) {
            now += 100 * MILLI;
            answer(sent(0.1), 0.1, 3 * MILLI);
            answer(sentAlone(0.1), 0.1, 80 * MILLI);
        }
        assertThat(trips.expectedNanos()).isEqualTo(7 * MILLI);
    }

    @Test
    void networkDelay_growsWithinTwoPeriods_fallsAtOnce() {
        answer(sentAlone(0.1), 0.1, 2 * MILLI);
        now += 1_100 * MILLI;
        answer(sentAlone(0.1), 0.1, 9 * MILLI);
        assertThat(trips.expectedNanos()).isEqualTo(7 * MILLI);
        now += 1_100 * MILLI;
        answer(sentAlone(0.1), 0.1, 9 * MILLI);
        assertThat(trips.expectedNanos()).isEqualTo(14 * MILLI);
        answer(sentAlone(0.1), 0.1, MILLI);
        assertThat(trips.expectedNanos()).isEqualTo(6 * MILLI);
    }

    @Test
    void answeredInTime_loadGrowsByThatOfThePipeline_toABound() {
        assertKeepsUpWith(8);
        answer(sentAlone(1), 1, MILLI);
        answer(sent(0.5), 1, MILLI);
        assertKeepsUpWith(9.5);
        for (int i = 0; i < 100; i++) {
            answer(sent(1), 1, MILLI);
        }
        assertKeepsUpWith(64);
    }

    @Test
    void late_loadIsReducedOncePerRoundTrip_thenGrowsSlowly() {
        answer(sentAlone(1), 1, MILLI);
        Pipeline late = sent(0.5);
        Pipeline withIt = sent(1);
        answer(late, 4, 12 * MILLI);
        assertKeepsUpWith(3);
        answer(withIt, 4, 0);
        assertKeepsUpWith(3);

        answer(sent(1), 4, MILLI);
        assertKeepsUpWith(3 + 1.0 / 3);
        answer(sent(1), 64, 12 * MILLI);
        assertKeepsUpWith(2.5);
    }

    @Test
    void lost_loadIsOneFullPipeline_unlessItCostLittle() {
        trips.lost(sent(0.49), now);
        assertKeepsUpWith(8);
        trips.lost(sent(0.5), now);
        assertKeepsUpWith(1);
    }
}
