package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Metrics that are slow to write. */
final class ServerMetricsTest {
    private static final long PATIENCE_SECONDS = 30;

    private volatile boolean known;

    /** Returns a store whose figures cannot be read, once the metrics know it, before the latch is at zero. */
    private Store slow(MemoryStore store, CountDownLatch latch) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    assertThat(!known || latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .isTrue();
                    return method.invoke(store, arguments);
                });
    }

    @Test
    void scrape_takesLong_doesNotBlockTheCaller() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        try (ServerMetrics metrics = new ServerMetrics();
                MemoryStore store = MemoryStore.create()) {
            metrics.monitor(slow(store, latch));
            known = true;
            CompletableFuture<String> text = metrics.scrape();

            assertThat(text).isNotDone();
            latch.countDown();
            assertThat(text.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).contains("weir_store_keys");
        }
    }
}
