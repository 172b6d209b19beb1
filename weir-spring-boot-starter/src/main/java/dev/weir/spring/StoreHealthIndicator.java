package dev.weir.spring;

import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the store, which notifies this listener: {@code UP}, or {@code DEGRADED} while Redis does not answer and the failure
 * policies decide. An application with degraded limits still serves requests; so the status of the whole application, which does not
 * know this one, stays as it is, and no orchestrator restarts it. Thread-safe.
 */
final class StoreHealthIndicator extends AbstractHealthIndicator implements StoreListener {
    private static final Status DEGRADED = new Status("DEGRADED", "the store does not answer; failure policies decide");

    private final WeirSettings settings;
    private volatile @Nullable Outage outage;

    /** A time in which the store does not answer. */
    private record Outage(Instant since, String reason) {}

    StoreHealthIndicator(WeirSettings settings) {
        super("the store of the rate limiters could not be checked");
        this.settings = settings;
    }

    @Override
    public void storeDown(StoreException failure) {
        outage = new Outage(Instant.now(), String.valueOf(failure.getMessage()));
    }

    @Override
    public void storeUp() {
        outage = null;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Outage current = outage;
        builder.up().withDetail("store", settings.store().name().toLowerCase(Locale.ROOT));
        if (current != null) {
            builder.status(DEGRADED).withDetail("since", current.since).withDetail("reason", current.reason);
        }
    }
}
