package dev.weir.spring;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Knows whether the store answers, for health. The store itself logs when that changes. Thread-safe. */
final class StoreStatus implements StoreListener {
    private volatile @Nullable Outage outage;

    /**
     * A time in which the store does not answer.
     *
     * @param since its begin
     * @param reason what failed
     */
    record Outage(Instant since, String reason) {}

    @Override
    public void storeDown(StoreException failure) {
        outage = new Outage(Instant.now(), String.valueOf(failure.getMessage()));
    }

    @Override
    public void storeUp() {
        outage = null;
    }

    /** Returns the current outage; null if the store answers. */
    @Nullable
    Outage outage() {
        return outage;
    }
}
