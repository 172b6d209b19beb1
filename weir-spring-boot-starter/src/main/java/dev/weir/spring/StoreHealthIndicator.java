package dev.weir.spring;

import dev.weir.LimiterListener;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
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
    private static final Duration RECENT = Duration.ofSeconds(10);

    private final WeirProperties.StoreKind store;
    private final InstantSource clock;
    private volatile boolean down;
    private volatile @Nullable Outage outage; // the latest; a race may lose one of two failures at the same time

    /** A time in which failures are at most 10 s apart; the reason is that of the latest one. */
    private record Outage(Instant since, Instant latest, String reason) {}

    StoreHealthIndicator(WeirProperties.StoreKind store, InstantSource clock) {
        super("the store of the rate limiters could not be checked");
        this.store = store;
        this.clock = clock;
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
        Instant now = clock.instant();
        Outage before = current(now);
        outage = new Outage(before == null ? now : before.since, now, String.valueOf(failure.getMessage()));
    }

    private @Nullable Outage current(Instant now) {
        Outage latest = outage;
        return latest != null && (down || now.isBefore(latest.latest.plus(RECENT))) ? latest : null;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Outage current = current(clock.instant());
        builder.up().withDetail("store", store.name().toLowerCase(Locale.ROOT));
        if (current != null) {
            builder.status(DEGRADED).withDetail("since", current.since).withDetail("reason", current.reason);
        }
    }
}
