package dev.weir.spring;

import java.util.Locale;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the store: {@code UP}, or {@code DEGRADED} while Redis does not answer and the failure policies decide. An
 * application with degraded limits still serves requests; so the status of the whole application, which does not know this one,
 * stays as it is, and no orchestrator restarts it.
 */
final class StoreHealthIndicator extends AbstractHealthIndicator {
    static final Status DEGRADED = new Status("DEGRADED", "the store does not answer; failure policies decide");

    private final StoreStatus status;
    private final WeirSettings settings;

    StoreHealthIndicator(StoreStatus status, WeirSettings settings) {
        super("the store of the rate limiters could not be checked");
        this.status = status;
        this.settings = settings;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        StoreStatus.Outage outage = status.outage();
        builder.up().withDetail("store", settings.store().name().toLowerCase(Locale.ROOT));
        if (outage != null) {
            builder.status(DEGRADED).withDetail("since", outage.since()).withDetail("reason", outage.reason());
        }
    }
}
