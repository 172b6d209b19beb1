package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testing.LogLines;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** What tests of outbound limiters have in common. */
abstract class OutboundFixture {
    static final URI CALL = URI.create("https://PSP.example:8443/pay");
    static final String KEY = "psp.example";

    final ManualTimeSource time = new ManualTimeSource();
    final LogLines log = new LogLines("dev.weir.http");

    /** Removes a warning. All others fail the test, because they may be of a fault that a future hides. */
    void expectWarning(String part) {
        assertThat(log.lines().poll()).contains(part);
    }

    @AfterEach
    void log_hasNoWarning() {
        log.close();
        assertThat(log.lines()).isEmpty();
    }

    RateLimiter limiter(String... limits) {
        RateLimiter.Builder builder = RateLimiter.builder().timeSource(time);
        List.of(limits).forEach(builder::limit);
        return builder.build();
    }

    /** Returns the limits of keys, the first times after a pause of the process: the time passes while a request is decided. */
    Function<String, Limits> limitsAfter(Duration pause, int[] times, String limit) {
        return key -> {
            if (times[0]-- > 0) {
                var unused = CompletableFuture.runAsync(() -> time.advance(pause));
                unused.join();
            }
            return Limits.parse(limit);
        };
    }

    static OutboundLimiter.Builder outbound(RateLimiter limiter) {
        return OutboundLimiter.builder(limiter).maxWait(Duration.ofMinutes(10));
    }

    static long pending(RateLimiter limiter) {
        return limiter.inspect(KEY).limits().get(0).pending().size();
    }

    static void answer(OutboundPermit permit, int status, Map<String, String> headers) {
        permit.received(status, name -> headers.containsKey(name) ? List.of(headers.get(name)) : List.of());
    }

    static OutboundPermit now(OutboundLimiter outbound) {
        CompletableFuture<OutboundPermit> permit = outbound.acquireAsync(CALL);
        assertThat(permit).isCompleted();
        return permit.join();
    }

    /** Returns a limiter on a store that answers the calls of a method in another way, if a condition holds. */
    RateLimiter answering(
            String limit, String method, BooleanSupplier when, Function<Store, CompletableFuture<?>> answer) {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        Store other = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, called, arguments) -> called.getName().equals(method) && when.getAsBoolean()
                        ? answer.apply(store)
                        : called.invoke(store, arguments));
        return RateLimiter.builder().name("psp").limit(limit).store(other).build();
    }
}
