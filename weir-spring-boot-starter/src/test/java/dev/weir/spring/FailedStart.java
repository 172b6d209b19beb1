package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * An application that could not start.
 *
 * @param failure what its start threw
 * @param report the only event that its failure analyzers logged
 */
public record FailedStart(Throwable failure, ILoggingEvent report) {

    /** Starts an application without a web server, which must fail. */
    public static FailedStart of(Class<?> source, String... properties) {
        Logger log = (Logger) LoggerFactory.getLogger("org.springframework.boot.diagnostics");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        SpringApplicationBuilder application = new SpringApplicationBuilder(source)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties(properties)
                .initializers(context -> log.addAppender(appender)); // starting an application resets the loggers
        Throwable failure;
        try {
            failure = catchThrowable(application::run);
        } finally {
            log.detachAppender(appender);
        }
        assertThat(failure).isNotNull();
        assertThat(appender.list).hasSize(1);
        return new FailedStart(failure, appender.list.get(0));
    }
}
