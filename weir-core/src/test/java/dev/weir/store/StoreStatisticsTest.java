package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import org.junit.jupiter.api.Test;

/** What a store reports about itself, and the failure of one that has too many calls. */
class StoreStatisticsTest {

    @Test
    void figures_setOneByOne_areKept() {
        StoreStatistics statistics =
                StoreStatistics.NONE.withKeys(1).withCallsInFlight(2).withRoundTrips(3, 4, 5, 6);

        assertThat(statistics.keys()).hasValue(1);
        assertThat(statistics.callsInFlight()).isEqualTo(2);
        assertThat(statistics.roundTrips()).isEqualTo(3);
        assertThat(statistics.roundTripNanos()).isEqualTo(4);
        assertThat(statistics.longestRoundTripNanos()).isEqualTo(5);
        assertThat(statistics.requests()).isEqualTo(6);
        assertThat(statistics.withKeys(0).keys()).hasValue(0);
        assertThat(statistics.withKeys(7).requests()).isEqualTo(6);
    }

    @Test
    void toString_knownAndUnknownKeys_saysSo() {
        assertThat(StoreStatistics.NONE)
                .hasToString("StoreStatistics[keys=unknown, callsInFlight=0, roundTrips=0, "
                        + "roundTripNanos=0, longestRoundTripNanos=0, requests=0]");
        assertThat(StoreStatistics.NONE.withKeys(0).toString()).contains("keys=0,");
    }

    @Test
    void statistics_storeWithoutAny_areNone() {
        assertThat(new DistantStore(TimeSource.system()).statistics()).isSameAs(StoreStatistics.NONE);
    }

    @Test
    void overload_exception_namesTheCallsInFlight() {
        assertThat(StoreException.overload(256)).hasMessageContaining("256").matches(StoreException::isOverload);
        assertThat(new StoreException("down")).matches(failure -> !failure.isOverload());
    }
}
