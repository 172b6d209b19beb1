package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import io.lettuce.core.RedisClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Probes that cannot be started. */
final class CircuitBreakerTest {

    @Test
    void probe_noThreadForIt_isRepeated() {
        AtomicInteger probes = new AtomicInteger();
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            CircuitBreaker circuit = new CircuitBreaker(
                    thread,
                    () -> {
                        if (probes.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        return CompletableFuture.completedFuture(null);
                    },
                    new EventNotifier(List.of()),
                    TimeUnit.SECONDS.toNanos(1));

            assertThat(circuit.open(new StoreException("expected by a test"), System.nanoTime()))
                    .isTrue();

            Await.until("a closed circuit", () -> circuit.failure() == null);
            assertThat(probes).hasValue(2);
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void probeThread_isStartedAtOnce() {
        RedisClient client = RedisClient.create();
        try {
            List<Thread> before = threads();
            ScheduledExecutorService unused = RedisConnection.probeThread(client);
            assertThat(threads()).hasSizeGreaterThan(before.size());
        } finally {
            client.shutdown(0, 0, TimeUnit.SECONDS);
        }
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("eventExecutorLoop"))
                .toList();
    }
}
