package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An additional algorithm with a known counting method needs no change in this module. Here it is a second name of GCRA. */
final class SeventhAlgorithmTest {

    @BeforeAll
    static void register() throws ReflectiveOperationException {
        Constructor<?> kind = Limit.Gcra.class.getDeclaredConstructors()[0];
        kind.setAccessible(true);
        Function<Object, Object> constructor = parts -> {
            try {
                return kind.newInstance(parts);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
        };
        kinds().put("paced", constructor);
    }

    @AfterAll
    static void unregister() throws ReflectiveOperationException {
        kinds().remove("paced");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Function<Object, Object>> kinds() throws ReflectiveOperationException {
        Field kinds = Limit.class.getDeclaredField("KINDS");
        kinds.setAccessible(true); // there is no public way
        return (Map<String, Function<Object, Object>>) kinds.get(null);
    }

    @Test
    void redis_registeredAlgorithm_decides() {
        ManualTimeSource time = new ManualTimeSource();
        try (RedisServer server = RedisServer.start();
                RedisStore store = RedisStore.builder(server.uri())
                        .timeout(Duration.ofSeconds(10))
                        .timeSource(time)
                        .connect()) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("api")
                    .limit("paced 10/1s burst=2")
                    .store(store)
                    .build();
            Await.until("a connection", () -> !limiter.peek("key").degraded());

            assertThat(limiter.tryAcquire("key", 2).allowed()).isTrue();
            Decision denied = limiter.tryAcquire("key");

            assertThat(denied.degraded()).isFalse();
            assertThat(denied.limit()).hasToString("paced 10/1s burst=2");
            assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(100));
            time.advance(Duration.ofMillis(100));
            assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        }
    }
}
