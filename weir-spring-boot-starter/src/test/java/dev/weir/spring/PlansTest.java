package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.spring.aop.RateLimitedAutoConfiguration;
import dev.weir.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A bean that finds plans, and what it depends on. */
class PlansTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, RateLimitedAutoConfiguration.class))
            .withPropertyValues("weir.limits.api.limit=1/1m", "weir.limits.api.plans.premium=5/1m");

    /** Knows who has paid, and is limited itself. */
    static class Customers {
        boolean hasPaid(String key) {
            return key.equals("ann");
        }

        @RateLimited(value = "api", key = "#name")
        public String register(String name) {
            return name;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Paying {
        @Bean
        Customers customers() {
            return new Customers();
        }

        @Bean
        Plans plans(Customers customers) {
            return (limiter, key) -> customers.hasPaid(key) ? "premium" : null;
        }
    }

    @Test
    void plans_ofABeanThatIsLimited_areFound() {
        runner.withUserConfiguration(Paying.class).run(context -> {
            Customers customers = context.getBean(Customers.class);
            assertThat(customers.register("bob")).isEqualTo("bob");

            assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> customers.register("bob"));
            assertThat(context.getBean(RateLimiters.class).get("api").limits("ann"))
                    .isEqualTo(Limits.parse("5/1m"));
        });
    }

    /** Creates the bean while another thread needs it, and then needs it, too. */
    @Configuration(proxyBeanMethods = false)
    static class NeededTwice {
        @Bean
        Plans plans(RateLimiters limiters) {
            Thread other = new Thread(() -> limiters.get("api").limits("bob"));
            other.start();
            Await.until(() -> other.getState() == Thread.State.WAITING);
            assertThat(limiters.get("api").limits("ann")).isEqualTo(Limits.parse("1/1m"));
            return (limiter, key) -> "premium";
        }
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void plans_neededByTwoThreadsWhileCreated_startTheApplication() {
        runner.withUserConfiguration(NeededTwice.class)
                .run(context -> assertThat(
                                context.getBean(RateLimiters.class).get("api").limits("ann"))
                        .isEqualTo(Limits.parse("5/1m")));
    }

    @Test
    void plans_twoBeans_failAtStart() {
        runner.withBean("some", Plans.class, () -> (limiter, key) -> null)
                .withBean("others", Plans.class, () -> (limiter, key) -> null)
                .run(context -> assertThat(context).getFailure().isInstanceOf(NoUniqueBeanDefinitionException.class));
    }
}
