package dev.weir.server.decision;

import dev.weir.LimiterListener;
import dev.weir.micrometer.LimiterMetrics;
import dev.weir.micrometer.StoreMetrics;
import dev.weir.server.config.FollowedFiles;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Rule.Mode;
import dev.weir.server.live.Comparison.Outcome;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.net.ContentCoding;
import dev.weir.store.Store;
import dev.weir.store.StoreListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.buffer.Buffer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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
    private static final String RULE = "rule";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final LimiterMetrics limiters = new LimiterMetrics(registry);
    private final StoreMetrics store = new StoreMetrics(registry, STORE);
    private final Map<String, RuleCounters> rules = new ConcurrentHashMap<>(); // by name

    private final Map<List<String>, Counter> candidates = new ConcurrentHashMap<>(); // by rule and outcome

    private final Map<Answer, Requests> requests = new ConcurrentHashMap<>();

    private final Counter unmatched = unmatched("known");
    private final Counter unmatchedDomain = unmatched("unknown");

    private Set<String> counted = Set.of(); // the names of rules that have counters; guarded by this

    /** Writes the text, which takes long with many rules. */
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(new DefaultThreadFactory("weir-metrics", true));

    private final Map<ContentCoding, CompletableFuture<Buffer>> next =
            new EnumMap<>(ContentCoding.class); // texts that are not being written yet; guarded by this

    /** By what requests are counted. */
    private record Answer(String call, String status) {}

    /** Requests that were answered alike, and the sum of their times. */
    private static final class Requests {
        private final LongAdder number = new LongAdder();
        private final LongAdder nanos = new LongAdder();
    }

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

    /** Adds the version of the server, as a tag of a gauge that is 1. */
    public void addVersion(String version) {
        Gauge.builder("weir.build.info", () -> 1)
                .description("The version of this server")
                .tag("version", version)
                .register(registry);
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

    /** Sets which rules a configuration has that is about to be in force. Those of the former one are still counted. */
    public synchronized void add(Collection<Rule> configured) {
        Set<String> names = names(configured);
        names.addAll(counted);
        counted = names;
    }

    /**
     * Sets which rules and limiters a configuration in force has: the counters of others are removed, and their decisions are no
     * longer counted. One thread does.
     *
     * @param limiterNames the names of all limiters
     */
    public void retain(Collection<Rule> configured, Set<String> limiterNames) {
        Set<String> names = names(configured);
        synchronized (this) {
            counted = names;
            rules.keySet().retainAll(names);
            candidates.keySet().removeIf(tags -> !names.contains(tags.get(0)));
        }
        limiters.retain(limiterNames); // which takes long with many rules, like the loop; no decision may wait for it
        for (Meter meter : registry.getMeters()) {
            String rule = meter.getId().getTag(RULE);
            if (rule != null && !names.contains(rule)) {
                registry.remove(meter);
            }
        }
    }

    private static Set<String> names(Collection<Rule> configured) {
        Set<String> names = configured.stream().map(Rule::path).collect(Collectors.toSet());
        names.add(Rule.OVERRIDE);
        return names;
    }

    /**
     * Counts a request that was answered.
     *
     * @param call the path or the method, of which there are few
     * @param nanos the time since its head was there
     */
    public void answered(String call, String status, long nanos) {
        Answer answer = new Answer(call, status);
        Requests known = requests.get(answer);
        Requests same = known != null ? known : requests.computeIfAbsent(answer, this::register);
        same.number.increment();
        same.nanos.add(nanos);
    }

    private Requests register(Answer answer) {
        Requests same = new Requests();
        FunctionTimer.builder(
                        "weir.requests", same, any -> any.number.sum(), any -> any.nanos.sum(), TimeUnit.NANOSECONDS)
                .description("Requests of HTTP and gRPC, and their time until the answer is sent")
                .tag("call", answer.call)
                .tag("status", answer.status)
                .register(registry);
        return same;
    }

    /** Counts a descriptor that no rule limits because none matches it. */
    void unmatched(boolean domainIsKnown) {
        (domainIsKnown ? unmatched : unmatchedDomain).increment();
    }

    private Counter unmatched(String domain) {
        return Counter.builder("weir.unmatched.descriptors")
                .description("Descriptors that no rule matches, in a domain that the configuration has or has not")
                .tag("domain", domain)
                .register(registry);
    }

    /** Counts what the rule of a descriptor decided. */
    void count(Descriptor descriptor) {
        String rule = descriptor.rule().path();
        RuleCounters counters = counter(rules, rule, rule, this::ruleCounters);
        if (counters != null) {
            Counter counter = !descriptor.over()
                    ? counters.allowed
                    : descriptor.is(Mode.SHADOW) ? counters.shadowed : counters.denied;
            counter.increment();
        }
    }

    /** Counts a request on which the live limits of a rule and its candidate were compared. */
    void compared(String rule, Outcome compared) {
        String outcome = compared.name().toLowerCase(Locale.ROOT);
        List<String> tags = List.of(rule, outcome);
        Counter counter = counter(
                candidates,
                tags,
                rule,
                absent -> register(
                        "weir.candidate.decisions",
                        "Requests on which candidates were compared with live limits",
                        rule,
                        outcome));
        if (counter != null) {
            counter.increment();
        }
    }

    private RuleCounters ruleCounters(String rule) {
        String description = "Descriptors that rules decided; shadow_denied were allowed all the same";
        return new RuleCounters(
                register("weir.rule.decisions", description, rule, "allowed"),
                register("weir.rule.decisions", description, rule, "denied"),
                register("weir.rule.decisions", description, rule, "shadow_denied"));
    }

    private Counter register(String name, String description, String rule, String outcome) {
        return Counter.builder(name)
                .description(description)
                .tag(RULE, rule)
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Returns what counts for a rule; null if a decision ended after its rule was removed. */
    private <K, C> @Nullable C counter(Map<K, C> counters, K key, String rule, Function<K, C> create) {
        C known = counters.get(key);
        return known != null ? known : added(counters, key, rule, create);
    }

    /** Not while counters are removed, so that none is kept here that the registry no longer has. */
    private synchronized <K, C> @Nullable C added(Map<K, C> counters, K key, String rule, Function<K, C> create) {
        return counted.contains(rule) ? counters.computeIfAbsent(key, create) : null;
    }

    /** Returns a future of all metrics in the text format of Prometheus. Calls that wait for the writer share it, and its memory. */
    public synchronized CompletableFuture<Buffer> scrape(ContentCoding coding) {
        return next.computeIfAbsent(coding, waiting -> CompletableFuture.supplyAsync(() -> write(coding), writer));
    }

    private Buffer write(ContentCoding coding) {
        synchronized (this) {
            next.remove(coding);
        }
        return coding.encode(registry.scrape());
    }

    @Override
    public void close() {
        writer.shutdown();
        registry.close();
    }
}
