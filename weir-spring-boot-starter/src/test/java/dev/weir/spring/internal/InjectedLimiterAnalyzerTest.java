package dev.weir.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.weir.RateLimiter;
import dev.weir.store.Store;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** What is reported when an application cannot start because a bean takes a limiter. */
class InjectedLimiterAnalyzerTest {
    static class Mailer {
        Mailer(RateLimiter mail) {}
    }

    static class Keeper {
        Keeper(Store store) {}
    }

    private static String report(Class<?> bean) {
        Logger log = (Logger) LoggerFactory.getLogger("org.springframework.boot.diagnostics");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        SpringApplicationBuilder application = new SpringApplicationBuilder(bean)
                .web(WebApplicationType.NONE)
                .initializers(context -> log.addAppender(appender)); // starting an application resets the loggers
        try {
            assertThat(catchThrowable(application::run)).isNotNull();
        } finally {
            log.detachAppender(appender);
        }
        assertThat(appender.list).hasSize(1);
        return appender.list.get(0).getFormattedMessage();
    }

    @Test
    void limiter_isInjected_saysWhatToTake() {
        assertThat(report(Mailer.class))
                .contains("Parameter 0 of constructor in " + Mailer.class.getName()
                        + " needs a RateLimiter, but the limiters under weir.limits are no beans.")
                .contains("Take the bean RateLimiters")
                .doesNotContain("Consider defining a bean");
    }

    @Test
    void anotherBean_isMissing_isReportedBySpringBoot() {
        assertThat(report(Keeper.class)).contains("Consider defining a bean of type 'dev.weir.store.Store'");
    }
}
