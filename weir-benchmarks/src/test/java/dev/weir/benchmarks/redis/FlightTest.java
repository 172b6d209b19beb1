package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

final class FlightTest {
    private static final int KEYS = 7;
    private static final int IN_FLIGHT = 16;

    private static Flight begin(long last, IntFunction<CompletableFuture<Boolean>> sending) {
        RemoteLimiter limiter = new RemoteLimiter(key -> false, sending);
        return Flight.begin(limiter, KEYS, IN_FLIGHT, last);
    }

    @Test
    void send_decidedAtOnce_fillsNoStack() throws InterruptedException {
        Flight flight = begin(700_000, key -> CompletableFuture.completedFuture(key > 0));

        flight.awaitLanding();

        assertThat(flight.allowed.sum()).isEqualTo(600_000);
        assertThat(flight.denied.sum()).isEqualTo(100_000);
    }

    @Test
    void send_decidedLater_keepsTheGivenNumberInFlight() throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        Flight flight = begin(100_000, key -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            return CompletableFuture.supplyAsync(() -> inFlight.decrementAndGet() >= 0, executor);
        });
        flight.awaitLanding();
        executor.shutdown();

        assertThat(flight.allowed.sum()).isEqualTo(100_000);
        assertThat(most.get()).isLessThanOrEqualTo(IN_FLIGHT).isGreaterThan(1);
    }

    @Test
    void land_endlessFlight_ends() throws InterruptedException {
        Flight flight = begin(Long.MAX_VALUE, key -> CompletableFuture.completedFuture(true));

        flight.land();

        assertThat(flight.denied.sum()).isZero();
    }

    @Test
    void land_requestFailed_reportsWhy() {
        Flight failed = begin(1_000, key -> CompletableFuture.failedFuture(new IllegalStateException("no")));
        Flight thrown = begin(1_000, key -> {
            throw new IllegalStateException("no");
        });

        for (Flight flight : new Flight[] {failed, thrown}) {
            assertThatThrownBy(flight::awaitLanding)
                    .isInstanceOf(FailedMeasureException.class)
                    .hasMessage("a request failed: no");
        }
    }
}
