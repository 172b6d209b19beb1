package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.testing.AtomicFile;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir serve}: checks in this process, serves in one of its own. */
final class ServeCommandTest {
    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return AtomicFile.write(directory.resolve("limits.yaml"), text);
    }

    @Test
    void check_example_isInOrder() {
        assertThat(weir("serve", "--check").answer()).isEqualTo("the example: 1 domain with 3 rules, 2 policies\n");
    }

    @Test
    void check_allProblems_areOnStderrWithTheirPlaces() throws IOException {
        Path bad = file("domain: d\ndescriptors:\n  - kee: a\n  - key: b\n    rate_limit: {unit: eon}\n");

        Run run = weir("serve", "--check", "--config", bad.toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .containsExactly(
                        "weir: " + bad + ":3:5: unknown key 'kee' (did you mean 'key'?)",
                        "weir: " + bad + ":3:5: descriptor has an empty key",
                        "weir: " + bad + ":5:17: requests_per_unit is missing; 0 denies everything",
                        "weir: " + bad
                                + ":5:24: unit must be second, minute, hour, day, week, month or year, was 'eon';"
                                + " for other lengths give a window, such as 30s");
    }

    @Test
    void check_limitThatRedisCannotHold_isReportedWithoutAConnection() throws IOException {
        Path large = file("policies: {api: 9000000000000000000/1d}\n");

        assertThat(weir("serve", "--check", "--config", large.toString()).code())
                .isZero();
        Run run = weir("serve", "--check", "--config", large.toString(), "--redis", "redis://192.0.2.1");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("limits.yaml:1:17: limit must not be too large for Redis");
    }

    @Test
    void train_startsAndStops() {
        Run run = weir("serve", "--train", "--port", "0", "--grpc-port", "0");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
    }

    @Test
    void serve_badConfiguration_isReportedLikeByCheck() throws IOException {
        Run run = weir("serve", "--config", file("domain: []\n").toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("limits.yaml:1:9: domain must be a text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port x              | --port must be a whole number from 0 to 65535, was 'x'",
                "--grpc-port 65536     | --grpc-port must be a whole number from 0 to 65535, was '65536'",
                "--compat fixed        | --compat must be fixed-window, was 'fixed' (did you mean 'fixed-window'?)",
                "--when-redis-fails no | --when-redis-fails must be open, closed, local, local(0.5) or error, was 'no'",
                "--redis redis://a --when-redis-fails local(2) | --when-redis-fails: share must be above 0 and at most 1, was 2.0",
                "--when-redis-fails open | --when-redis-fails needs --redis or --redis-file",
                "--check --when-redis-fails local | --when-redis-fails needs --redis or --redis-file",
                "--redis-prefix a      | --redis-prefix needs --redis or --redis-file",
                "--redis redis://a --redis-prefix a/b | --redis-prefix: prefix must be 1 to 64 letters, digits, '.', '_', ':' or '-', was 'a/b'",
                "--redis-timeout 50ms  | --redis-timeout needs --redis or --redis-file",
                "--check --hash-keys /none | --hash-keys needs --redis, --redis-file or --hash-shown-keys",
                "--check --redis redis://a --max-keys 5 | --max-keys is for keys in memory; with --redis or --redis-file they are on Redis",
                "--check --redis-file /none --max-keys 5 | --max-keys is for keys in memory; with --redis or --redis-file they are on Redis",
                "--redis redis://127.0.0.1:1 --redis-timeout 5 | --redis-timeout must be a duration such as 50ms, was '5'",
                "--redis redis://127.0.0.1:1 --redis-timeout 2h | --redis-timeout: timeout must be from 1 ms to 1 hour, was PT2H",
                "--redis-file /none    | --redis-file: /none cannot be read: there is no such file",
                "--redis redis://a --redis-file /none | the URI of Redis is either in --redis or in --redis-file",
                "--max-keys 0          | --max-keys must be a whole number from 1 to 1000000000, was '0'",
                "--log xml             | --log must be json or text, was 'xml'",
                "--redis no            | ",
                "--trust nowhere       | --trust: network must be an address or like 10.0.0.0/8, was nowhere",
                "--tls-cert /none      | TLS needs both --tls-cert and --tls-key",
                "--tls-cert /none --tls-key /none | /none cannot be read: there is no such file",
                "--token-file /none    | --token-file: /none cannot be read: there is no such file",
                "--hash-shown-keys --hash-keys /dev/null | --hash-keys: /dev/null is empty"
            })
    void badOption_isOneLine(String options, String complaint) {
        List<String> args = new ArrayList<>(List.of("serve"));
        args.addAll(List.of(options.split(" ", -1)));

        assertThat(weir(args.toArray(String[]::new)).complaint()).startsWith(complaint == null ? "" : complaint);
    }

    @ParameterizedTest
    @CsvSource({"--port, --grpc-port", "--grpc-port, --port"})
    void serve_portInUse_isNamed(String option, String other) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = "" + taken.getLocalPort();
            assertThat(weir("serve", option, port, other, "0").complaint())
                    .isEqualTo("cannot listen on 127.0.0.1, port " + port + ": Address already in use");
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"open, open", "closed, closed", "local, local(1.0)", "local(0.25), local(0.25)", "error, none"})
    void whenRedisFails_text_isThePolicy(String text, @Nullable String policy) {
        FailurePolicy parsed = Converters.whenRedisFails(text).policy();

        assertThat(parsed == null ? null : parsed.toString()).isEqualTo(policy);
    }

    @Test
    void serve_onAllAddresses_redisInAFile_isUsedWithTimeoutAndPolicy() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            Path uri = Files.writeString(directory.resolve("redis"), redis.uri() + "\n");
            String[] options = {
                "--host",
                "0.0.0.0",
                "--redis-file",
                uri.toString(),
                "--redis-prefix",
                "mine",
                "--redis-timeout",
                "10s",
                "--when-redis-fails",
                "error"
            };
            try (ServeProcess server = new ServeProcess(directory, options)) {
                assertThat(server.welcome())
                        .startsWith("weir: ready, on Redis, with the example\n")
                        .contains("\n  Dashboard  http://127.0.0.1:", "\n  Envoy      0.0.0.0:");
                redis.command("CLIENT", "PAUSE", "1000");
                String http = "http://127.0.0.1:" + server.port();
                assertThat(decide(http).statusCode()).isEqualTo(200);
                assertThat(String.valueOf(redis.command("KEYS", "*")))
                        .contains("mine:")
                        .doesNotContain("weir");

                redis.kill();
                assertThat(decide(http).statusCode()).isEqualTo(503);
            }
        }
    }

    @Test
    void serve_answers_andStopsOnSignal() throws Exception {
        try (ServeProcess server = new ServeProcess(directory)) {
            assertThat(server.welcome())
                    .startsWith("weir: ready, in memory, with the example\n")
                    .contains("\n  Dashboard  http://127.0.0.1:")
                    .contains("\n  Envoy      127.0.0.1:")
                    .contains("\n  Try        curl -i 'http://127.0.0.1:");
            String http = "http://127.0.0.1:" + server.port();
            for (int i = 1; i <= 4; i++) {
                assertThat(decide(http).statusCode()).isEqualTo(i <= 3 ? 200 : 429);
            }
            String trace = send(HttpRequest.newBuilder(URI.create(http + "/v1/keys/alice/trace.csv?limit=3%2F1m")))
                    .body();
            assertThat(new Run.Setup()
                            .stdin(trace)
                            .weir("verify", "--limit", "3/1m", "-")
                            .answer())
                    .startsWith("holds: sliding-log 3/1m, in ");

            assertThat(server.stop()).isEmpty();
        }
    }

    /** Its second reader would find nothing. */
    @Test
    void serve_tokenInAPipe_isReadOnce() throws Exception {
        Path limits = file("policies: {api: 1/1h}\n");
        try (ServeProcess server = new ServeProcess(
                directory, "--config", limits.toString(), "--token-file", ServeProcess.TOKEN_IN_PIPE)) {
            HttpRequest.Builder configuration = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.port() + "/v1/configuration"))
                    .header("Authorization", "Bearer " + ServeProcess.TOKEN);
            assertThat(send(configuration).statusCode()).isEqualTo(200);

            file("policies: {web: 1/1h}\n"); // when that is in force, the token would have been read again
            Await.until(() -> server.log().contains("configuration is in force"));

            assertThat(send(configuration).body()).contains("web");
            assertThat(server.stop()).doesNotContain("token");
        }
    }

    private static HttpResponse<String> decide(String server) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(server + "/v1/decide"))
                .POST(BodyPublishers.ofString("{\"key\":\"alice\",\"limits\":[\"3/1m\"]}")));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }
}
