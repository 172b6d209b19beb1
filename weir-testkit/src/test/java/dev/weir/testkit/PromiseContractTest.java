package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Decision;
import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** The contract finds stores that break a promise. */
class PromiseContractTest {
    /** A store whose decisions at once state one permit fewer than remain. */
    private static Store withoutAPermit(TimeSource time) {
        Store store = MemoryStore.builder().timeSource(time).build();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    return answer instanceof Decision made && made.allowed() && made.remaining() > 0
                            ? Decision.allowed(
                                    made.limit(),
                                    made.remaining() - 1,
                                    made.waitNanos(),
                                    made.resetAfterNanos(),
                                    made.timeNanos())
                            : answer;
                });
    }

    @Test
    void oneLimit_remainingIsTooLow_fails() {
        PromiseContract contract = new PromiseContract() {
            @Override
            protected Store store(TimeSource timeSource) {
                return withoutAPermit(timeSource);
            }
        };

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(contract::oneLimit_anyHistory_keepsItsPromises)
                .withMessageContaining("what remains");
    }
}
