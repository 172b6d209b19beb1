package dev.weir.server.decision;

import dev.weir.LimiterListener;
import dev.weir.micrometer.LimiterMetrics;
import dev.weir.micrometer.StoreMetrics;
import dev.weir.server.config.FollowedFiles;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.ConfiguredRule;
import dev.weir.server.live.LiveRecorder;
import dev.weir.store.Store;
import dev.weir.store.StoreListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.buffer.Buffer;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the server: of its limiters, its store, its rules and its configuration. The tags are names in the
 * configuration; keys are none. Thread-safe.
 */
public final class ServerMetrics implements AutoCloseable {
    /** The media type of {@link #scrape}. */
    public static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String STORE = "server";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LimiterMetrics limiters = new LimiterMetrics(registry);
    private final StoreMetrics store = new StoreMetrics(registry, STORE);
    private final Map<String, RuleCounters> rules = new ConcurrentHashMap<>(); // by name

    private final Map<List<String>, Counter> candidates = new ConcurrentHashMap<>(); // by rule and outcome

    /** Writes the text, which takes long with many rules. */
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("weir-metrics", true));

    private @Nullable CompletableFuture<Buffer> next; // a text that is not being written yet; guarded by this

    /** The counters of a rule. */
    private record RuleCounters(Counter allowed, Counter denied, Counter shadowed) {}

    /** Returns what counts the decisions of limiters. */
    public LimiterListener limiters() {
        return limiters;
    }

    /** Returns what counts the events of the store. */
    public StoreListener storeListener() {
        return store;
    }

    /** Adds the figures of the store. */
    public void monitor(Store monitored) {
        store.monitor(monitored);
    }

    /** Adds the number of streams of events, and what the lists in them miss. */
    public void monitor(Supplier<Number> streams, LiveRecorder recorder) {
        Gauge.builder("weir.event.streams", streams)
                .description("Streams of events that are open")
                .register(registry);
        FunctionCounter.builder("weir.event.dropped", recorder, LiveRecorder::dropped)
                .description("Denials that the lists of keys missed, because there were too many at once")
                .register(registry);
    }

    /** Adds by what a configuration that is in force differs from that of other servers. */
    public void monitor(LiveConfiguration live) {
        Gauge.builder(
                        "weir.configuration.checksum",
                        live,
                        latest -> latest.inForce().checksum())
                .description("A checksum of the configuration in force, equal on servers with the same files")
                .strongReference(true)
                .register(registry);
    }

    /** Adds whether the latest content of files is in force, as {@code weir_NAME_valid}. */
    public void monitor(String name, FollowedFiles<?> files) {
        Gauge.builder("weir." + name + ".valid", files, latest -> latest.isValid() ? 1 : 0)
                .description("Whether the latest content of the files is in force, 1 or 0")
                .strongReference(true)
                .register(registry);
    }

    /**
     * Removes the counters of rules and limiters that a configuration no longer has.
     *
     * @param limiterNames the names of all limiters
     */
    public void retain(Collection<ConfiguredRule> configured, Set<String> limiterNames) {
        limiters.retain(limiterNames);
        Set<String> names = configured.stream().map(rule -> rule.id().name()).collect(Collectors.toSet());
        names.add(Rule.OVERRIDE);
        rules.entrySet().removeIf(rule -> {
            boolean gone = !names.contains(rule.getKey());
            if (gone) {
                RuleCounters counters = rule.getValue();
                List.of(counters.allowed, counters.denied, counters.shadowed).forEach(registry::remove);
            }
            return gone;
        });
        candidates.entrySet().removeIf(candidate -> {
            boolean gone = !names.contains(candidate.getKey().get(0));
            if (gone) {
                registry.remove(candidate.getValue());
            }
            return gone;
        });
    }

    /** Counts the decisions of rules. */
    void count(DescriptorDecision decision) {
        for (Descriptor descriptor : decision.descriptors()) {
            if (decision.counts(descriptor)) {
                RuleCounters counters = counters(descriptor.rule().path());
                Counter counter = !descriptor.over()
                        ? counters.allowed
                        : descriptor.is(Mode.SHADOW) ? counters.shadowed : counters.denied;
                counter.increment();
            }
        }
    }

    /** Counts a request on which the live limits of a rule and its candidate were compared. */
    void compared(String rule, Outcome compared) {
        String outcome = compared.name().toLowerCase(Locale.ROOT);
        List<String> tags = List.of(rule, outcome);
        Counter known = candidates.get(tags);
        Counter counter = known != null
                ? known
                : candidates.computeIfAbsent(
                        tags,
                        absent -> Counter.builder("weir.candidate.decisions")
                                .description("Requests on which candidates were compared with live limits")
                                .tag("rule", rule)
                                .tag("outcome", outcome)
                                .register(registry));
        counter.increment();
    }

    private RuleCounters counters(String path) {
        RuleCounters known = rules.get(path);
        return known != null
                ? known
                : rules.computeIfAbsent(
                        path,
                        rule -> new RuleCounters(
                                counter(rule, "allowed"), counter(rule, "denied"), counter(rule, "shadow_denied")));
    }

    private Counter counter(String rule, String outcome) {
        return Counter.builder("weir.rule.decisions")
                .description("Descriptors that rules decided; shadow_denied were allowed all the same")
                .tag("rule", rule)
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Returns a future of all metrics in the text format of Prometheus. Calls that wait for the writer share it, and its memory. */
    public synchronized CompletableFuture<Buffer> scrape() {
        if (next == null) {
            next = CompletableFuture.supplyAsync(this::write, writer);
        }
        return next;
    }

    private Buffer write() {
        synchronized (this) {
            next = null;
        }
        return Buffer.buffer(registry.scrape());
    }

    @Override
    public void close() {
        writer.shutdown();
        registry.close();
    }
}
