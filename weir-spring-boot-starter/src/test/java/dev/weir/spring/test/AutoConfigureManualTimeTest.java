package dev.weir.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.RateLimitedException;
import dev.weir.spring.RateLimited;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The slice in an application without auto-configuration of its own, as a test of a slice has it. */
@SpringBootTest(
        classes = AutoConfigureManualTimeTest.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {"weir.limits.login.limit=1/1d", "weir.redis.uri=redis://127.0.0.1:1"})
@AutoConfigureManualTime
class AutoConfigureManualTimeTest {
    @Autowired
    private Logins logins;

    @Autowired
    private ManualTimeSource time;

    @Autowired
    private Store store;

    @Configuration(proxyBeanMethods = false)
    @Import(Logins.class)
    static class Application {}

    static class Logins {
        @RateLimited(value = "login", key = "#user")
        public String login(String user) {
            return "welcome " + user;
        }
    }

    @Test
    void limiters_useTheTimeOfTheTest() {
        assertThat(logins.login("ada")).isEqualTo("welcome ada");
        time.advance(Duration.ofHours(24).minusNanos(1));
        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.login("ada"));

        time.advance(Duration.ofMillis(86)); // a day, and the resolution of a limit per day

        assertThat(logins.login("ada")).isEqualTo("welcome ada");
    }

    @Test
    void store_isInMemory_alsoWithAnUriOfRedis() {
        assertThat(store).isInstanceOf(MemoryStore.class);
    }
}
