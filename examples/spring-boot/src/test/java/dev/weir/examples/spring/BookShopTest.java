package dev.weir.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.testkit.ManualTimeSource;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import redis.embedded.RedisServer;

class BookShopTest {
    private static final ManualTimeSource TIME = new ManualTimeSource();

    static class Clock {
        @Bean
        TimeSource time() {
            return TIME;
        }
    }

    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> get(ConfigurableApplicationContext shop, String user, String path) throws Exception {
        String port = shop.getEnvironment().getRequiredProperty("local.server.port");
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Basic " + credentials)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static ConfigurableApplicationContext start(String... args) {
        String[] all = Stream.concat(Stream.of(args), Stream.of("--server.port=0", "--spring.main.banner-mode=off"))
                .toArray(String[]::new);
        return SpringApplication.run(new Class<?>[] {BookShop.class, Clock.class}, all);
    }

    @Test
    void requests_overTheLimits_areDenied() throws Exception {
        try (ConfigurableApplicationContext shop = start()) {
            for (int i = 0; i < 10; i++) {
                assertThat(get(shop, "ann", "/orders").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> denied = get(shop, "ann", "/orders");
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).isPresent();
            assertThat(denied.body()).contains("\"violated-policies\":[\"per-user-0\"]");

            for (int i = 0; i < 3; i++) {
                assertThat(get(shop, "bob", "/search").statusCode()).isEqualTo(200);
            }
            assertThat(get(shop, "bob", "/search").body()).contains("\"violated-policies\":[\"search\"]");
            assertThat(get(shop, "bob", "/orders").statusCode()).isEqualTo(200);
            assertThat(get(shop, "bob", "/actuator/health").body()).contains("\"store\":\"memory\"");
        }
    }

    @Test
    void redis_byOneProperty_holdsTheLimitsOfAllProcesses() throws Exception {
        RedisServer redis = RedisServer.newRedisServer().port(freePort()).build();
        redis.start();
        String property = "--weir.redis.uri=redis://127.0.0.1:" + redis.ports().get(0);
        try (ConfigurableApplicationContext one = start(property, "--weir.redis.timeout=1s");
                ConfigurableApplicationContext other = start(property, "--weir.redis.timeout=1s")) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(i == 1 ? one : other, "ann", "/search").statusCode())
                        .isEqualTo(200);
            }
            assertThat(get(one, "bob", "/search").statusCode()).isEqualTo(429);
            assertThat(get(other, "bob", "/search").statusCode()).isEqualTo(429);
            assertThat(get(one, "bob", "/actuator/health").body()).contains("\"store\":\"redis\"");
        } finally {
            redis.stop();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
