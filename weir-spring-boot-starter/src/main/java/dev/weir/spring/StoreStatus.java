package dev.weir.spring;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the store answers, for health, and logs when that changes, at most once a second. Thread-safe: it is notified on
 * one thread, and read by others.
 */
final class StoreStatus implements StoreListener {
    private static final System.Logger LOG = System.getLogger("dev.weir.spring");
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile @Nullable Outage outage;
    // used by the notifying thread only
    private long nextLogAt = System.nanoTime();
    private boolean logged;

    /**
     * A time in which the store does not answer.
     *
     * @param since its begin
     * @param reason what failed
     */
    record Outage(Instant since, String reason) {}

    @Override
    public void storeDown(StoreException failure) {
        String reason = String.valueOf(failure.getMessage());
        outage = new Outage(Instant.now(), reason);
        long now = System.nanoTime();
        logged = now - nextLogAt >= 0;
        if (logged) {
            nextLogAt = now + INTERVAL_NANOS;
            LOG.log(Level.WARNING, "{0}; limiters follow their failure policies", reason);
        }
    }

    @Override
    public void storeUp() {
        outage = null;
        if (logged) {
            LOG.log(Level.INFO, "the store answers again");
        }
    }

    /** Returns the current outage; null if the store answers. */
    @Nullable
    Outage outage() {
        return outage;
    }
}
