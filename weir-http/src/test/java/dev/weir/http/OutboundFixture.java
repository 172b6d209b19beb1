package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testkit.ManualTimeSource;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What tests of outbound limiters have in common. */
abstract class OutboundFixture {
    static final URI CALL = URI.create("https://PSP.example:8443/pay");
    static final String KEY = "psp.example";

    final ManualTimeSource time = new ManualTimeSource();

    RateLimiter limiter(String... limits) {
        RateLimiter.Builder builder = RateLimiter.builder().timeSource(time);
        List.of(limits).forEach(builder::limit);
        return builder.build();
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
}
