package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.store.Store;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Limits on Redis: by its URI, by the application's connection factory, and while it does not answer. */
class RedisTest {
    private static final String LIMITS = """
            management:
              endpoints.web.exposure.include: health
              endpoint.health.show-components: always
              endpoint.health.show-details: always
              health.redis.enabled: false
            weir:
              on-failure: closed
              limits:
                open: {limit: 1/1h, path: /open, on-failure: open}
                closed: {limit: 100/1h, path: /closed}
                local: {limit: 4/1h, path: /local, on-failure: local(0.5)}
            """;

    @Test
    void redis_killed_failurePoliciesDecideAndHealthShowsIt() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RunningApplication application =
                        RunningApplication.start(LIMITS + "  redis: {uri: '" + redis.uri() + "', timeout: 10s}")) {
            assertThat(application.status("/open")).isEqualTo(200);
            assertThat(application.status("/open")).isEqualTo(429);
            assertThat(application.status("/closed")).isEqualTo(200);
            assertThat(health(application)).contains("\"weir\":{\"details\":{\"store\":\"redis\"},\"status\":\"UP\"}");
            try (RedisStore store = RedisStore.builder(redis.uri())
                    .timeout(Duration.ofSeconds(10))
                    .connect()) {
                RateLimiter elsewhere = RateLimiter.builder()
                        .name("closed")
                        .limit("100/1h")
                        .store(store)
                        .build();
                assertThat(elsewhere.peek("127.0.0.1").remaining())
                        .as("another process sees what was granted here")
                        .isEqualTo(99);
            }

            redis.kill();
            Await.until("the outage is noticed", () -> health(application).contains("DEGRADED"));

            Await.until("the cached denial expires", () -> application.status("/open") == 200);
            HttpResponse<String> closed = application.get("/closed");
            assertThat(closed.statusCode()).isEqualTo(429);
            assertThat(closed.headers().firstValue("Retry-After")).isPresent();
            assertThat(application.status("/local")).isEqualTo(200);
            assertThat(application.status("/local")).isEqualTo(200);
            assertThat(application.status("/local")).as("half of the limit").isEqualTo(429);
            assertThat(application.get("/actuator/health").statusCode())
                    .as("the application stays in service")
                    .isEqualTo(200);
            assertThat(health(application))
                    .startsWith("{")
                    .contains("\"since\":")
                    .endsWith("\"status\":\"UP\"}");

            redis.restart();
            Await.until("the recovery is noticed", () -> !health(application).contains("DEGRADED"));
            assertThat(application.status("/closed")).isEqualTo(200);
        }
    }

    @Test
    void redisRefusesRequests_healthIsDegraded() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RunningApplication application =
                        RunningApplication.start(LIMITS + "  redis: {uri: '" + redis.uri() + "', timeout: 10s}")) {
            redis.command("CONFIG", "SET", "maxmemory", "1");
            assertThat(application.status("/closed")).isEqualTo(429);
            assertThat(health(application)).contains("DEGRADED", "Redis refused: OOM");

            redis.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(application.status("/closed")).isEqualTo(200);
            Await.until("10 s without a failure", () -> !health(application).contains("DEGRADED"));
        }
    }

    private static String health(RunningApplication application) throws Exception {
        return application.get("/actuator/health").body();
    }

    @Test
    void connectionFactory_ofTheApplication_isUsed() throws Exception {
        try (RedisServer redis = RedisServer.start("--requirepass", "p@ss:w/rd %41+");
                RunningApplication application = RunningApplication.start(LIMITS + """
                          store: redis
                          redis: {timeout: 10s}
                        spring.data.redis:
                          host: 127.0.0.1
                          port: %d
                          password: 'p@ss:w/rd %%41+'
                          database: 3
                        """.formatted(redis.port()))) {
            assertThat(application.bean(Store.class)).isInstanceOf(RedisStore.class);

            assertThat(application.status("/closed")).isEqualTo(200);

            assertThat(application.bean(RateLimiters.class).get("closed").peek("127.0.0.1"))
                    .satisfies(decision -> assertThat(decision.degraded()).isFalse())
                    .satisfies(decision -> assertThat(decision.remaining()).isEqualTo(99));
            try (var connection =
                    application.bean(LettuceConnectionFactory.class).getConnection()) {
                assertThat(connection.keyCommands().exists("weir:{closed:127.0.0.1}".getBytes(StandardCharsets.UTF_8)))
                        .isTrue();
            }
        }
    }
}
