package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import org.junit.jupiter.api.Test;

/** What a store reports about itself, and the failure of one that has too many calls. */
class StoreStatisticsTest {

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
