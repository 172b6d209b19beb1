package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.store.Store;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.RateLimitOverride;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** Limits that descriptors bring. */
final class OverridesTest {
    /** A store that cannot hold any limit. */
    private static final Store FULL = (Store) Proxy.newProxyInstance(
            Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                throw new IllegalArgumentException("limit is too large");
            });

    @Test
    void rule_storeCannotHoldTheLimit_isRefused() {
        RateLimitOverride limit = RateLimitOverride.newBuilder()
                .setRequestsPerUnit(5)
                .setUnitValue(4)
                .build();

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new Overrides(false, FULL).rule(limit))
                .withMessage("limit is too large");
    }
}
