package dev.weir;

import static dev.weir.testkit.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The limits of requests that are made before they are decided: those of the limiter, or their own. */
final class RequestLimitsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter limiter =
            RateLimiter.builder().limit("100/1s").timeSource(time).build();

    private Decision decide(String limit) {
        return RateLimiter.tryAcquireAll(limiter.request("k", 1, Limits.parse(limit)));
    }

    @Test
    void ownLimits_decideInsteadOfTheLimiters() {
        assertThat(decide("1/1s")).isAllowed();

        assertThat(decide("1/1s")).isDenied();
        assertThat(RateLimiter.tryAcquireAll(limiter.request("k", 1))).isAllowed();
    }

    @Test
    void ownLimits_change_stateIsCarriedOver() {
        assertThat(decide("2/1s")).isAllowed();
        assertThat(decide("2/1s")).isAllowed();

        assertThat(decide("3/1s")).isAllowed().hasRemaining(0);
        assertThat(decide("2/1s")).isDenied();
    }

    @Test
    void limitsByKey_areReadOncePerDecision() {
        List<String> keys = new ArrayList<>();
        RateLimiter byKey = RateLimiter.builder()
                .limitsByKey(key -> {
                    keys.add(key);
                    return Limits.parse("1/1s");
                })
                .build();

        assertThat(RateLimiter.tryAcquireAll(byKey.request("a", 1), byKey.request("b", 1)))
                .isAllowed();

        Assertions.assertThat(keys).containsExactly("a", "b");
    }

    @Test
    void limitsByKey_ofRequestsToAStore_areReadWithoutALock() {
        MemoryStore store = MemoryStore.builder().timeSource(time).build();
        RateLimiter byKey = RateLimiter.builder()
                .name("by-key")
                .store(store)
                .limitsByKey(key -> {
                    store.unblockAsync(Request.of("by-key", Limits.parse("1/1s"), key, 1))
                            .join();
                    return Limits.parse("1/1s");
                })
                .build();
        Request request = byKey.request("k", 1);

        assertTimeoutPreemptively(TIMEOUT, () -> {
            assertThat(store.reserve(List.of(request), 0).decision()).isAllowed();
            assertThat(store.peekAsync(request).join()).isDenied();
        });
    }

    @Test
    void limiterChanges_requestThatWasMadeBefore_isDecidedUnderItsNewLimits() {
        Request before = limiter.request("k", 1);
        limiter.changeLimits(Limits.parse("1/1s"));

        assertThat(RateLimiter.tryAcquireAll(before)).isAllowed();
        assertThat(RateLimiter.tryAcquireAll(before)).isDenied();
    }

    @Test
    void peekAsync_ownLimits_writesNothing() {
        Request request = limiter.request("k", 1, Limits.parse("1/1s"));

        assertThat(limiter.peekAsync(request).join()).isAllowed();
        assertThat(limiter.peekAsync(request).join()).isAllowed();
        assertThat(decide("1/1s")).isAllowed();
        assertThat(limiter.peekAsync(request).join()).isDenied();
        time.advance(Duration.ofSeconds(2));
        assertThat(limiter.peekAsync(request).join()).isAllowed();
    }

    @Test
    void peekAsync_requestOfAnotherLimiter_isRefused() {
        Request foreign = RateLimiter.of(Limit.parse("1/1s")).request("k", 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.peekAsync(foreign).join());
    }
}
