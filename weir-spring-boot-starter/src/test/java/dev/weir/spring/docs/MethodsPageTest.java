package dev.weir.spring.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.RateLimitedException;
import dev.weir.spring.RateLimited;
import dev.weir.spring.test.AutoConfigureManualTime;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;
import org.springframework.test.context.TestPropertySource;
import reactor.core.publisher.Mono;

/** The snippets of docs/spring.md on methods, and that of docs/testing.md on Spring Boot: each is a region of this class. */
@TestPropertySource(
        properties = {
            "weir.limits.login.limit=5/1m",
            "weir.limits.per-customer.limit=1/1m",
            "weir.limits.per-tenant.limit=20/1m"
        })
class MethodsPageTest {
    record Credentials(String username, String password) {}

    record Order(String customer, String tenant) {}

    @SpringBootConfiguration(proxyBeanMethods = false)
    @Import({Logins.class, Orders.class})
    static class Application {}

    // region
    @Service
    static class Logins {
        @RateLimited(value = "login", key = "#credentials.username")
        boolean login(Credentials credentials) {
            return credentials.password().equals("secret");
        }
    }
    // endregion

    // region
    @Service
    static class Orders {
        @RateLimited(value = "per-customer", key = "#order.customer", maxWait = "2s")
        @RateLimited(value = "per-tenant", key = "#order.tenant")
        Mono<String> place(Order order) {
            return Mono.just("placed");
        }

        @RateLimited(value = "per-tenant", key = "#tenant", permits = 10)
        CompletableFuture<String> export(String tenant) {
            return CompletableFuture.completedFuture("exported");
        }
    }
    // endregion

    @Nested
    // region
    @SpringBootTest
    @AutoConfigureManualTime
    class LoginTest {
        @Autowired
        private Logins logins;

        @Autowired
        private ManualTimeSource time;

        @Test
        void login_sixthInAMinute_isDenied() {
            Credentials credentials = new Credentials("ada", "secret");
            for (int i = 0; i < 5; i++) {
                assertThat(logins.login(credentials)).isTrue();
            }
            assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.login(credentials));

            time.advance(Duration.ofMinutes(1));

            assertThat(logins.login(credentials)).isTrue();
        }
    }
    // endregion

    @Nested
    @SpringBootTest
    @AutoConfigureManualTime
    class OrdersTest {
        @Autowired
        private Orders orders;

        @Test
        void methods_asOnThePage_areLimited() {
            assertThat(orders.export("acme").join()).isEqualTo("exported");
            assertThat(orders.place(new Order("ada", "acme")).block()).isEqualTo("placed");

            assertThatExceptionOfType(RateLimitedException.class)
                    .isThrownBy(() -> orders.place(new Order("ada", "acme")).block())
                    .satisfies(denied -> assertThat(denied.limiter()).isEqualTo("per-customer"));
            assertThat(orders.export("acme")).isCompletedExceptionally();
        }
    }
}
