package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a store inherits from its interfaces. */
class StoreTest {
    private final MemoryStore memory = MemoryStore.create();
    private final Limits limits = Limits.of(Limit.parse("5/1h"));
    private final Request request = Request.of("test", limits, "key", 2);

    /** A store whose reservations fail, and whose other methods are those of the interface. */
    private static Store failing() {
        return (Store) Proxy.newProxyInstance(
                StoreTest.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    throw new StoreException("down");
                });
    }

    @Test
    void timeSource_notOverridden_isTheSystems() {
        assertThat(failing().timeSource()).isSameAs(TimeSource.system());
    }

    @Test
    void reserveAsync_reserveThrows_completesExceptionally() {
        assertThatThrownBy(failing().reserveAsync(List.of(request), 0)::join)
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("down");
    }

    @Test
    void of_severalReservations_areRefundedTogether() {
        StoreReservation one = memory.reserve(List.of(request), 0);
        StoreReservation other = memory.reserve(List.of(Request.of("test", limits, "other", 2)), 0);
        Decision decision = one.decision();

        StoreReservation both = StoreReservation.of(decision, List.of(one, other));

        assertThat(both.decision()).isSameAs(decision);
        both.refund(1);
        assertThat(remaining("key")).isEqualTo(4);
        assertThat(remaining("other")).isEqualTo(4);
        both.cancel(1);
        assertThat(remaining("key")).isEqualTo(5);
        assertThat(remaining("other")).isEqualTo(5);
    }

    private long remaining(String key) {
        return memory.peekAsync(Request.of("test", limits, key, 1)).join().remaining();
    }
}
