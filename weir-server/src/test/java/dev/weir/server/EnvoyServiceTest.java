package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.server.config.ConfigurationSource;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.decision.Candidates;
import dev.weir.server.decision.DescriptorMatcher;
import dev.weir.server.decision.EnvoyDecider;
import dev.weir.server.decision.Limiters;
import dev.weir.server.decision.LiveDecisions;
import dev.weir.server.decision.Overrides;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.grpc.EnvoyService;
import dev.weir.server.grpc.EventLoops;
import dev.weir.server.grpc.GrpcServer;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.StoreHealth;
import dev.weir.server.net.AnyPort;
import dev.weir.server.net.MemoryBounds;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envoy's service while the store fails in the middle of a request, and requests need the store. */
final class EnvoyServiceTest {
    private static final Limits LIMITS = Limits.parse("3/1d");
    private static final String RULES = """
            domain: d
            descriptors:
              - key: live
                rate_limit: {unit: day, requests_per_unit: 3}
              - key: shadow
                shadow_mode: true
                rate_limit: {unit: day, requests_per_unit: 3}
            """;

    /** Returns a store that fails for rules in shadow mode. */
    private static Store failing(MemoryStore store) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> method.getName().equals("reserveAsync")
                                && arguments[0].toString().contains("shadow")
                        ? CompletableFuture.failedFuture(new StoreException("expected by a test"))
                        : method.invoke(store, arguments));
    }

    private static EnvoyDecider decider(Path rules, Store store, ServerMetrics metrics) {
        LiveConfiguration live =
                new LiveConfiguration(new ConfigurationSource(rules, false, false), store, read -> () -> {});
        LiveRecorder recorder = new LiveRecorder();
        Candidates candidates = new Candidates(store, recorder, metrics);
        return new EnvoyDecider(
                new DescriptorMatcher(live, new Overrides(false, store), metrics),
                new Limiters(store, null),
                new LiveDecisions(recorder, new StoreHealth(true), candidates, metrics, false, false),
                false,
                false);
    }

    @Test
    void store_failsForOneRule_permitsOfOthersAreRefunded(@TempDir Path directory) throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        try (MemoryStore store = MemoryStore.create();
                ServerMetrics metrics = new ServerMetrics();
                EventLoops loops = new EventLoops(MemoryBounds.openCallBytes(), MemoryBounds.openRequestBytes());
                GrpcServer server = GrpcServer.start(
                        AnyPort.settings(),
                        null,
                        new EnvoyService(decider(rules, failing(store), metrics)::decide, true),
                        loops,
                        metrics);
                EnvoyClient envoy = new EnvoyClient(server.port())) {
            assertThatThrownBy(() -> envoy.send("d", "live=x", "shadow=x")).hasMessageContaining("UNAVAILABLE");

            Request live = Request.of("envoy", LIMITS, "d,live=x", 1);
            assertThat(store.peekAsync(live).join().remaining()).isEqualTo(3);
        }
    }
}
