package dev.weir.server.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.weir.store.MemoryStore;
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

    private static RateLimitOverride fivePerDay(UnknownFieldSet others) {
        return RateLimitOverride.newBuilder()
                .setRequestsPerUnit(5)
                .setUnitValue(4)
                .setUnknownFields(others)
                .build();
    }

    /** Else clients could have the server keep a thousand messages with fields of any size. */
    @Test
    void rule_unknownFields_areNotKept() {
        try (MemoryStore store = MemoryStore.create()) {
            Overrides overrides = new Overrides(false, store);
            UnknownFieldSet unknown = UnknownFieldSet.newBuilder()
                    .addField(99, Field.newBuilder().addVarint(1).build())
                    .build();

            assertThat(overrides.rule(fivePerDay(unknown)))
                    .isSameAs(overrides.rule(fivePerDay(UnknownFieldSet.getDefaultInstance())));
        }
    }

    @Test
    void rule_storeCannotHoldTheLimit_isRefused() {
        RateLimitOverride limit = fivePerDay(UnknownFieldSet.getDefaultInstance());

        assertThatExceptionOfType(InvalidRequestException.class)
                .isThrownBy(() -> new Overrides(false, FULL).rule(limit))
                .withMessage("limit is too large");
    }
}
