package dev.weir.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.spring.FailedStart;
import dev.weir.store.Store;
import org.junit.jupiter.api.Test;

/** What is reported when an application cannot start because a bean takes a limiter. */
class InjectedLimiterAnalyzerTest {
    static class Mailer {
        Mailer(RateLimiter mail) {}
    }

    static class Keeper {
        Keeper(Store store) {}
    }

    private static String report(Class<?> bean) {
        return FailedStart.of(bean).report().getFormattedMessage();
    }

    @Test
    void limiter_isInjected_saysWhatToTake() {
        assertThat(report(Mailer.class))
                .contains(" of constructor in " + Mailer.class.getName()
                        + " needs a RateLimiter, but the limiters under weir.limits are no beans.")
                .contains("Take the bean RateLimiters")
                .doesNotContain("Consider defining a bean");
    }

    @Test
    void anotherBean_isMissing_isReportedBySpringBoot() {
        assertThat(report(Keeper.class)).contains("Consider defining a bean of type 'dev.weir.store.Store'");
    }
}
