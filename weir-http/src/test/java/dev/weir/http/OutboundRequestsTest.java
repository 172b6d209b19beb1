package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What an outbound limiter requests of its store. */
final class OutboundRequestsTest extends OutboundFixture {
    /** A store on Redis sends equal requests together. */
    @Test
    void maxWait_callsThatBeginAtTheSameTime_isEqual() throws Exception {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        TimeSource ticking = () -> {
            time.advanceNanos(100);
            return time.nanos();
        };
        List<Object> waits = new ArrayList<>();
        RateLimiter limiter = RateLimiter.builder()
                .name("psp")
                .limit("9/1s")
                .store((Store) Proxy.newProxyInstance(
                        Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                            if (called.getName().startsWith("reserve")) {
                                waits.add(arguments[1]);
                            }
                            return called.getName().equals("timeSource") ? ticking : called.invoke(store, arguments);
                        }))
                .build();
        OutboundLimiter outbound =
                OutboundLimiter.builder(limiter).maxWait(Duration.ofSeconds(10)).build();

        now(outbound);
        now(outbound);
        assertThat(outbound.acquire(CALL)).isNotNull();

        assertThat(waits).hasSize(3).containsOnly(10_000_000_000L);
    }

    @Test
    void acquireAsync_cancelledBeforeTheStoreAnswers_cancelsTheRequest() {
        CompletableFuture<StoreReservation> request = new CompletableFuture<>();
        RateLimiter limiter = answering("1/1s", "reserveAsync", () -> true, store -> request);
        CompletableFuture<OutboundPermit> waiting = outbound(limiter).build().acquireAsync(CALL);
        assertThat(request).isNotDone();

        waiting.cancel(false);

        assertThat(request).isCancelled();
    }
}
