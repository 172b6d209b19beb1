package dev.weir.store;

import dev.weir.TimeSource;
import dev.weir.testkit.PromiseContract;
import org.junit.jupiter.api.Tag;

/** What limits promise, with the store in memory. */
@Tag("large")
final class MemoryStorePromiseTest extends PromiseContract {
    @Override
    protected Store store(TimeSource timeSource) {
        return MemoryStore.builder().timeSource(timeSource).build();
    }
}
