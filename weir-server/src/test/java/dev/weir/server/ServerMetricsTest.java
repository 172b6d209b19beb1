package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Metrics that are slow to write, and those of rules that are gone. */
final class ServerMetricsTest extends ServerTest {
    private static final long TIMEOUT_SECONDS = 30;

    private volatile boolean known;

    private static String rules(String key) {
        return """
                policies: {%1$s: 1/1d}
                domain: edge
                descriptors:
                  - key: %1$s
                    rate_limit: {unit: day, requests_per_unit: 3}
                    candidate: 1/1d
                  - key: kept
                    rate_limit: {unit: day, requests_per_unit: 3}
                """.formatted(key);
    }

    /** Returns a store whose figures cannot be read, once the metrics know it, before the latch is at zero. */
    private Store slow(MemoryStore store, CountDownLatch latch) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    assertThat(!known || latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                            .isTrue();
                    return method.invoke(store, arguments);
                });
    }

    @Test
    void version_isATag() throws Exception {
        try (ServerMetrics metrics = new ServerMetrics()) {
            metrics.addVersion("1.2.3");

            String text = metrics.scrape(ContentCoding.IDENTITY)
                    .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                    .toString();
            assertThat(text).containsPattern("(?m)^weir_build_info\\{version=\"1.2.3\"} 1(.0)?$");
        }
    }

    @Test
    void scrape_takesLong_doesNotBlockTheCaller() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        try (ServerMetrics metrics = new ServerMetrics();
                MemoryStore store = MemoryStore.create()) {
            metrics.monitor(slow(store, latch));
            known = true;
            CompletableFuture<Buffer> text = metrics.scrape(ContentCoding.IDENTITY);

            assertThat(text).isNotDone();
            latch.countDown();
            assertThat(text.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).toString()).contains("weir_store_keys");
        }
    }

    @Test
    void scrapes_whileOneTakesLong_shareTheNextOne() throws Exception {
        CountDownLatch latch = new CountDownLatch(1);
        try (ServerMetrics metrics = new ServerMetrics();
                MemoryStore store = MemoryStore.create()) {
            metrics.monitor(slow(store, latch));
            known = true;
            Set<CompletableFuture<Buffer>> texts = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                texts.add(metrics.scrape(ContentCoding.IDENTITY));
            }

            assertThat(texts).hasSizeLessThanOrEqualTo(2);
            latch.countDown();
            for (CompletableFuture<Buffer> text : texts) {
                assertThat(text.get(TIMEOUT_SECONDS, TimeUnit.SECONDS).toString())
                        .contains("weir_store_keys");
            }
        }
    }

    @Test
    void rules_goneFromTheConfiguration_areInNoMetric() throws IOException {
        start(rules("former"));
        envoy().send("edge", "former=a", "kept=a");
        get("/v1/auth?policy=former&key=a");
        assertThat(get("/metrics").body())
                .contains("rule=\"edge.former\"", "weir_candidate_decisions_total", "rule=\"edge.kept\"} 1.0")
                .contains("limiter=\"former\"");
        write("limits.yaml", rules("latter"));

        Await.until(() -> get("/v1/configuration").body().contains("latter"));
        Await.until(() -> !get("/metrics").body().contains("former"));
        envoy().send("edge", "latter=a", "kept=a");
        assertThat(get("/metrics").body())
                .contains(
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.latter\"} 1.0",
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.kept\"} 2.0");

        write("limits.yaml", rules("former"));
        Await.until(() -> !get("/v1/configuration").body().contains("latter"));
        envoy().send("edge", "former=a");
        assertThat(get("/metrics").body())
                .as("of a rule that is back")
                .contains(
                        "weir_rule_decisions_total{outcome=\"allowed\",rule=\"edge.former\"} 1.0",
                        "weir_candidate_decisions_total{outcome=\"only_candidate_denies\",rule=\"edge.former\"} 1.0");
    }

    @Test
    void limitOfZero_isCountedAsNever() throws IOException {
        start("domain: edge\ndescriptors: [{key: path, rate_limit: {unit: hour, requests_per_unit: 0}}]");
        envoy().send("edge", "path=x");

        assertThat(get("/metrics").body().lines())
                .anyMatch(line ->
                        line.matches("weir_decisions_total\\{.*limit=\"sliding-log 1/1s\".*outcome=\"never\".*} 1.0"))
                .contains("weir_rule_decisions_total{outcome=\"denied\",rule=\"edge.path\"} 1.0");
    }

    private void callUnknownMethod() {
        RateLimitResponse unused = ClientCalls.blockingUnaryCall(
                envoy().channel(),
                RateLimitServiceGrpc.getShouldRateLimitMethod().toBuilder()
                        .setFullMethodName("made.up/Name")
                        .build(),
                CallOptions.DEFAULT,
                RateLimitRequest.getDefaultInstance());
    }

    @Test
    void requests_areCountedByStatus() throws IOException {
        start("policies: {api: 1/1h}");
        decide("{\"key\":\"a\",\"policy\":\"api\"}");
        decide("{\"key\":\"a\",\"policy\":\"api\"}");
        decide("x".repeat(100_000));
        get("/v1/decide");
        get("/v1/keys/a?policy=api");
        get("/v1/keys/b?policy=api");
        get("/v1/keyz");
        assertThatThrownBy(() -> envoy().send("")).hasMessageContaining("INVALID_ARGUMENT");
        envoy().send("edge", "k=v");
        assertThatThrownBy(this::callUnknownMethod).hasMessageContaining("UNIMPLEMENTED");

        Await.until(() -> get("/metrics").body().contains("UNIMPLEMENTED")); // counted when it is sent
        assertThat(get("/metrics").body().lines())
                .contains(
                        "weir_requests_seconds_count{call=\"/v1/decide\",status=\"200\"} 1",
                        "weir_requests_seconds_count{call=\"/v1/decide\",status=\"429\"} 1",
                        "weir_requests_seconds_count{call=\"/v1/decide\",status=\"413\"} 1",
                        "weir_requests_seconds_count{call=\"/v1/decide\",status=\"405\"} 1",
                        "weir_requests_seconds_count{call=\"/v1/keys/{key}\",status=\"200\"} 2",
                        "weir_requests_seconds_count{call=\"other\",status=\"404\"} 1",
                        "weir_requests_seconds_count{call=\"ShouldRateLimit\",status=\"INVALID_ARGUMENT\"} 1",
                        "weir_requests_seconds_count{call=\"ShouldRateLimit\",status=\"OK\"} 1",
                        "weir_requests_seconds_count{call=\"other\",status=\"UNIMPLEMENTED\"} 1")
                .anyMatch(line ->
                        line.matches("weir_requests_seconds_sum\\{call=\"ShouldRateLimit\",status=\"OK\"} 0\\.0.*"));
    }

    @Test
    void descriptors_thatNoRuleMatches_areCounted_andUnknownDomainsAreLogged() throws IOException {
        start("domain: edge\ndescriptors: [{key: path, rate_limit: {unit: hour, requests_per_unit: 9}}]");
        try (LogLines log = new LogLines("dev.weir.server")) {
            envoy().send("edge", "path=x", "other=x", "path=x,other=y");
            envoy().send("egde", "path=x");
            assertThat(log.lines())
                    .containsExactly("WARNING there are no rules for the domain 'egde', whose requests are allowed;"
                            + " similar warnings are not logged for a minute");
        }

        assertThat(get("/metrics").body().lines())
                .contains(
                        "weir_unmatched_descriptors_total{domain=\"known\"} 2.0",
                        "weir_unmatched_descriptors_total{domain=\"unknown\"} 1.0");
    }
}
