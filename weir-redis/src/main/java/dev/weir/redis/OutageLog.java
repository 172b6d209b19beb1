package dev.weir.redis;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Writes to the log when Redis does not answer, and when it answers again. If that happens again and again, the pauses between two
 * warnings double, from a second to a minute; after a minute without a failure they are short again. Not thread-safe.
 */
final class OutageLog implements StoreListener {
    private static final System.Logger LOG = System.getLogger("dev.weir.redis");
    private static final long MIN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private long dueAt;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private boolean down; // as the log says

    /**
     * Creates a log of no outage.
     *
     * @param nanoTime the time, as {@link System#nanoTime}
     */
    OutageLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.dueAt = nanoTime.getAsLong();
    }

    /** Logs that Redis does not answer, unless the log says so, or the next warning is not due. May be called again and again. */
    @Override
    public void storeDown(StoreException failure) {
        long now = nanoTime.getAsLong();
        if (down || now - dueAt < 0) {
            return;
        }
        down = true;
        pauseNanos = now - dueAt >= MAX_PAUSE_NANOS ? MIN_PAUSE_NANOS : pauseNanos;
        dueAt = now + pauseNanos;
        pauseNanos = Math.min(MAX_PAUSE_NANOS, 2 * pauseNanos);
        warn(failure);
    }

    /** Logs that the failure policies decide. */
    static void warn(StoreException failure) {
        LOG.log(Level.WARNING, "{0}; limiters follow their failure policies", failure.getMessage());
    }

    /** Logs that another server is used, which the sentinels promoted. */
    static void promoted(String server) {
        LOG.log(Level.INFO, "the sentinels promoted Redis at {0}, which is used from now on", server);
    }

    @Override
    public void storeUp() {
        if (down) {
            down = false;
            LOG.log(Level.INFO, "Redis answers again");
        }
    }
}
