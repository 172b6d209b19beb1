package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.spring.aop.RateLimitedAutoConfiguration;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.store.StoreListener;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Listeners that need limiters, which need all listeners. */
class ListenerStartTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, RateLimitedAutoConfiguration.class))
            .withPropertyValues("weir.limits.api.limit=2/1h", "weir.redis.uri=redis://127.0.0.1:1");

    static class Blocker implements LimiterListener {
        Blocker(RateLimiters limiters) {}
    }

    static class Adapter implements StoreListener {
        Adapter(RateLimiters limiters) {}
    }

    static class Annotated implements LimiterListener {
        @RateLimited("api")
        public void report() {}
    }

    static class Cyclic implements LimiterListener {
        Cyclic(ObjectProvider<Part> part) {
            part.getObject();
        }
    }

    static class Part {
        Part(Cyclic whole) {}
    }

    static class Lazy implements LimiterListener {
        private final ObjectProvider<RateLimiters> limiters;
        final AtomicLong remaining = new AtomicLong();

        Lazy(ObjectProvider<RateLimiters> limiters) {
            this.limiters = limiters;
        }

        @Override
        public void decided(String limiter, String key, long permits, Decision decision) {
            remaining.set(limiters.getObject().get(limiter).peek(key).remaining());
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Blocker.class, Adapter.class, Annotated.class})
    void listener_needsLimiters_saysWhatToTake(Class<?> listener) {
        // Created before the listener, or by it.
        ApplicationContextRunner limitersFirst = runner.withBean("first", String.class, () -> "", bean -> {
            bean.setDependsOn("rateLimiters");
        });
        for (ApplicationContextRunner order : new ApplicationContextRunner[] {runner, limitersFirst}) {
            order.withBean("mine", listener)
                    .run(
                            context -> assertThat(context)
                                    .getFailure()
                                    .rootCause()
                                    .isInstanceOf(InvalidConfigurationException.class)
                                    .hasMessage(
                                            "bean 'mine': a listener is created before the limiters; it must take an"
                                                    + " ObjectProvider<RateLimiters> instead of RateLimiters, and have no @RateLimited methods"));
        }
    }

    @Test
    void listener_ofAnotherCycle_isReportedBySpring() {
        runner.withBean("first", String.class, () -> "", bean -> bean.setDependsOn("rateLimiters"))
                .withBean("part", Part.class)
                .withBean("cyclic", Cyclic.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(BeanCurrentlyInCreationException.class));
    }

    @Test
    void listener_takesAProvider_usesLimiters() {
        runner.withPropertyValues("weir.store=memory").withBean(Lazy.class).run(context -> {
            context.getBean(RateLimiters.class).get("api").tryAcquire("any");
            assertThat(context.getBean(Lazy.class).remaining).hasValue(1);
        });
    }
}
