package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.run.FailedMeasureException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

final class FlightTest {
    private static final int KEYS = 7;
    private static final int IN_FLIGHT = 16;

    private static RemoteLimiter limiter(BiConsumer<Integer, Answer> send) {
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void send(int key, Answer answer) {
                send.accept(key, answer);
            }
        };
    }

    @Test
    void send_decidedAtOnce_fillsNoStack() throws InterruptedException {
        Flight flight = Flight.begin(limiter((key, answer) -> answer.decided(key > 0)), KEYS, IN_FLIGHT, 700_000);

        flight.awaitLanding();

        assertThat(flight.allowed()).isEqualTo(600_000);
        assertThat(flight.denied()).isEqualTo(100_000);
    }

    @Test
    void send_decidedLater_keepsSoManyUnderWay() throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        RemoteLimiter limiter = limiter((key, answer) -> {
            most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            Answer.when(
                    CompletableFuture.supplyAsync(
                            () -> {
                                underWay.decrementAndGet();
                                return key;
                            },
                            executor),
                    decision -> decision >= 0,
                    answer);
        });

        Flight flight = Flight.begin(limiter, KEYS, IN_FLIGHT, 100_000);
        flight.awaitLanding();
        executor.shutdown();

        assertThat(flight.allowed()).isEqualTo(100_000);
        assertThat(most.get()).isLessThanOrEqualTo(IN_FLIGHT).isGreaterThan(1);
    }

    @Test
    void land_endlessFlight_ends() throws InterruptedException {
        Flight flight = Flight.begin(limiter((key, answer) -> answer.decided(true)), KEYS, IN_FLIGHT, Long.MAX_VALUE);

        flight.land();

        assertThat(flight.denied()).isZero();
    }

    @Test
    void land_requestFailed_saysWhy() {
        Flight failed = Flight.begin(
                limiter((key, answer) -> Answer.when(
                        CompletableFuture.failedFuture(new IllegalStateException("no")), x -> true, answer)),
                KEYS,
                IN_FLIGHT,
                1_000);
        Flight thrown = Flight.begin(
                limiter((key, answer) -> {
                    throw new IllegalStateException("no");
                }),
                KEYS,
                IN_FLIGHT,
                1_000);

        assertThatThrownBy(failed::awaitLanding)
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("a request failed: no");
        assertThatThrownBy(thrown::awaitLanding)
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("a request failed: no");
    }
}
