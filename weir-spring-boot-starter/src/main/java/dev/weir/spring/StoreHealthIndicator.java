package dev.weir.spring;

import dev.weir.LimiterListener;
import dev.weir.TimeSource;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the store, which notifies this listener, as its limiters do: {@code UP}, or {@code DEGRADED} while the failure policies
 * decide, because Redis does not answer or refuses requests. An application with degraded limits still serves requests; so the status
 * of the whole application, which does not know this one, stays as it is, and no orchestrator restarts it. Thread-safe.
 */
final class StoreHealthIndicator extends AbstractHealthIndicator implements StoreListener, LimiterListener {
    private static final Status DEGRADED = new Status("DEGRADED", "failure policies decide");
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final WeirProperties.StoreKind store;
    private final TimeSource timeSource; // monotonic: a failure stays recent for 10 s, whatever the system's clock does
    private volatile boolean down;
    private volatile @Nullable Outage outage; // the latest; a race may lose one of two failures at the same time

    /** A time in which failures are at most 10 s apart; the reason is that of the latest one. */
    private record Outage(Instant since, long latestNanos, String reason) {}

    StoreHealthIndicator(WeirProperties.StoreKind store, TimeSource timeSource) {
        super("the store of the rate limiters could not be checked");
        this.store = store;
        this.timeSource = timeSource;
    }

    @Override
    public void storeDown(StoreException failure) {
        down = true;
        failed(failure);
    }

    @Override
    public void storeUp() {
        down = false;
        outage = null;
    }

    @Override
    public void storeFailed(String limiter, String key, StoreException failure) {
        failed(failure);
    }

    private void failed(StoreException failure) {
        Outage before = current();
        Instant since = before == null ? Instant.now() : before.since;
        outage = new Outage(since, timeSource.nanos(), String.valueOf(failure.getMessage()));
    }

    private @Nullable Outage current() {
        Outage latest = outage;
        return latest != null && (down || timeSource.nanos() - latest.latestNanos < RECENT_NANOS) ? latest : null;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Outage current = current();
        builder.up().withDetail("store", store.name().toLowerCase(Locale.ROOT));
        if (current != null) {
            builder.status(DEGRADED).withDetail("since", current.since).withDetail("reason", current.reason);
        }
    }
}
