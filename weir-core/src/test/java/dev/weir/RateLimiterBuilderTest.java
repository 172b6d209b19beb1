package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a limiter is built of. */
class RateLimiterBuilderTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();

    @Test
    void build_withoutLimitsOrInTwoWays_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder().build())
                .withMessage(
                        "limits must be given in one way: limit(...), limits(...) or limitsByKey(...); none was given");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder()
                        .limit("1/1s")
                        .limits(Limits.parse("1/1s"))
                        .build())
                .withMessage("limits must be given in one way: limit(...), limits(...) or limitsByKey(...)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder().name("no spaces"))
                .withMessageStartingWith("name must be a letter");
    }

    @Test
    void limiterOnASharedStore_withoutAName_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> RateLimiter.builder().limit("5/1m").store(store).build())
                .withMessageStartingWith("name must be set for a limiter with a store(...)");
    }

    @Test
    void timeSource_unlikeTheStores_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder()
                        .name("api")
                        .limit("5/1m")
                        .store(store)
                        .timeSource(new ManualTimeSource())
                        .build())
                .withMessageStartingWith("timeSource must be the store's, or not be set");
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit("5/1m")
                .store(store)
                .timeSource(time)
                .build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void limitsThatAStoreCannotHold_areRefusedWhenBuiltAndWhenChanged() {
        Store picky = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, args) -> {
                    if (method.getName().equals("check") && args[0].toString().contains("26500d")) {
                        throw new IllegalArgumentException("too large");
                    }
                    return method.getName().equals("timeSource") ? time : null;
                });
        RateLimiter.Builder builder = RateLimiter.builder().name("api").store(picky);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.limits(Limits.parse("10/26500d")).build())
                .withMessage("too large");

        RateLimiter limiter = builder.limits(Limits.parse("10/1d")).build();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.changeLimits(Limits.parse("10/26500d")));
        assertThat(limiter.limits("key")).isEqualTo(Limits.parse("10/1d"));
    }
}
