package dev.weir.server;

import com.google.common.io.Closer;
import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.server.config.ConfigurationException;
import dev.weir.server.config.ConfigurationSource;
import dev.weir.server.config.FileWatch;
import dev.weir.server.config.FollowedFiles;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.ReservedNames;
import dev.weir.server.config.Rule;
import dev.weir.server.config.Token;
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
import dev.weir.server.http.AdminAccess;
import dev.weir.server.http.AuthEndpoint;
import dev.weir.server.http.DecideEndpoint;
import dev.weir.server.http.DecisionReply;
import dev.weir.server.http.EventStreams;
import dev.weir.server.http.HttpApi;
import dev.weir.server.http.HttpServer;
import dev.weir.server.http.KeysEndpoint;
import dev.weir.server.http.PolicyRequests;
import dev.weir.server.http.StatusEndpoint;
import dev.weir.server.live.KeyNames;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.StoreHealth;
import dev.weir.server.net.MemoryBounds;
import dev.weir.server.net.TlsMaterial;
import dev.weir.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A running server. Thread-safe. */
public final class WeirServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final AtomicBoolean WARM = new AtomicBoolean(); // classes are loaded once in a process
    private static final int WARM_UP_DECISIONS = 20;

    private final ServerSettings settings;
    private final Closer closer; // closes the latest first
    private final ServerMetrics metrics;
    private final StatusEndpoint status;
    private final GrpcServer grpc;
    private final HttpServer http;

    /** Opens all parts; the closer has what is open even if this throws. */
    private WeirServer(ServerSettings settings, Closer closer) throws IOException {
        this.settings = settings;
        this.closer = closer;
        metrics = new ServerMetrics();
        closer.register(metrics::close);
        metrics.addVersion(ServerDescription.version());
        EventLoops loops = new EventLoops(MemoryBounds.openCallBytes(), settings.openRequestBytes);
        closer.register(loops::close);
        StoreHealth health = new StoreHealth(settings.redis != null);
        Store store = store(loops, health);
        closer.register(store::close);
        Store tried = settings.redis == null ? settings.memory.build() : store;
        metrics.monitor(store);
        ConfigurationSource source = source(settings);
        LiveRecorder recorder = new LiveRecorder();
        Limiters limiters = new Limiters(store, settings.whenStoreFails, metrics.limiters(), health);
        LiveConfiguration live =
                new LiveConfiguration(source, store, read -> configure(read.rules(), recorder, limiters));
        metrics.monitor(live);
        FileWatch watch = new FileWatch();
        closer.register(watch::close);
        if (settings.redis != null) {
            learnScripts(store);
        }
        warmUp();
        Candidates candidates = new Candidates(tried, recorder, metrics);
        KeyNames names = new KeyNames(settings.hashShownKeys, settings.keySecret);
        ServerDescription description = new ServerDescription(settings, live);
        LiveSampler sampler = new LiveSampler(recorder, store, health, description::json, live::version, names);
        closer.register(sampler::close);
        EventStreams streams = new EventStreams(sampler);
        metrics.monitor(streams::count, recorder);
        LiveDecisions decisions =
                new LiveDecisions(recorder, health, candidates, metrics, settings.policyCounts(), settings.shadow);
        status = new StatusEndpoint(live, metrics);
        grpc = GrpcServer.start(settings.grpc(), settings.tls, envoy(live, limiters, decisions), loops, metrics);
        closer.register(grpc::close);
        AdminAccess admin = new AdminAccess(settings.token);
        PolicyRequests policies = new PolicyRequests(live, limiters, decisions);
        DecisionReply replies = new DecisionReply(settings.shadow, needsStore());
        HttpApi api = new HttpApi(
                new DecideEndpoint(policies, replies),
                new AuthEndpoint(policies, replies, settings.clientAddress),
                new KeysEndpoint(policies, live, limiters, sampler, candidates, names),
                status,
                sampler,
                admin);
        http = HttpServer.start(settings.http(), settings.tls, api, streams, metrics);
        closer.register(http::close);
        closer.register(streams::close);
        closer.register(grpc::stopAccepting); // before the other waits for its requests
        followFiles(watch, source, live, admin, streams);
        description.listening(http.port());
        sampler.start();
        status.ready(true);
    }

    /**
     * Starts a server.
     *
     * @param settings its settings
     * @return the server, which is ready
     * @throws ConfigurationException if the configuration cannot be used
     * @throws IllegalArgumentException if a setting or a certificate is not valid
     * @throws IOException if an address cannot be used
     */
    public static WeirServer start(ServerSettings settings) throws IOException {
        if (settings.port == settings.grpcPort && settings.port != 0) {
            throw new IllegalArgumentException("the ports of HTTP and gRPC must differ, both were " + settings.port);
        }
        Closer closer = Closer.create();
        try {
            return new WeirServer(settings, closer);
        } catch (IOException | RuntimeException failure) {
            try (closer) {
                throw closer.rethrow(failure);
            }
        }
    }

    /**
     * Checks a configuration without starting a server.
     *
     * @param settings settings, of which only those of the configuration matter
     * @return what it contains, in one line
     * @throws ConfigurationException if it cannot be used
     */
    public static String check(ServerSettings settings) {
        ConfigurationSource source = source(settings);
        Consumer<Limits> check = settings.redis == null ? any -> {} : RedisStore::checkLimits; // needs no connection
        return source.read(source.texts(), check).summary();
    }

    private static ConfigurationSource source(ServerSettings settings) {
        return new ConfigurationSource(settings.configuration, settings.fixedWindow, settings.mergeDomains);
    }

    private Runnable configure(List<Rule> rules, LiveRecorder recorder, Limiters limiters) {
        Set<String> names = rules.stream().map(Rule::limiter).collect(Collectors.toSet());
        names.addAll(List.of(ReservedNames.ENVOY, ReservedNames.UNNAMED));
        metrics.add(rules);
        recorder.configure(rules);
        return () -> {
            limiters.retain(names);
            metrics.retain(rules, names);
        };
    }

    private Store store(EventLoops loops, StoreHealth health) {
        if (settings.redis == null) {
            return settings.memory.build();
        }
        RedisStore.Builder redis = RedisStore.builder(settings.redis)
                .prefix(settings.redisPrefix)
                .timeout(settings.storeTimeout)
                .clientResources(loops.forRedis())
                .listener(metrics.storeListener())
                .listener(health);
        if (settings.keySecret != null) {
            redis.hashKeys(settings.keySecret);
        }
        return redis.connect();
    }

    /** Decides a few times before there is a deadline, so that scripts are known when the first call comes. */
    private static void learnScripts(Store redis) {
        RateLimiter limiter = RateLimiter.builder()
                .name("warm-up")
                .limit("1/1ms")
                .store(redis)
                .build();
        for (int i = 0; i < WARM_UP_DECISIONS; i++) {
            Decision unused = RateLimiter.tryAcquireAll(limiter.request("key", 1));
        }
    }

    /** Lets the first server of a process load classes by requests to another one, so that they are counted nowhere. */
    private static void warmUp() {
        if (!WARM.compareAndSet(false, true)) {
            return;
        }
        ServerSettings example = new ServerSettings().port(0).grpcPort(0);
        example.stopGraceMillis = 1;
        try (WeirServer other = start(example)) {
            FirstRequests.send(other.port(), other.grpcPort());
        } catch (IOException | RuntimeException failure) {
            LOG.log(Level.WARNING, "the first requests will take longer, because none could be tried: " + failure);
        }
    }

    private void followFiles(
            FileWatch watch,
            ConfigurationSource source,
            LiveConfiguration live,
            AdminAccess admin,
            EventStreams streams) {
        follow(
                watch,
                "configuration",
                new FollowedFiles<>("configuration", live.inForce().texts(), source::texts, live),
                settings.configuration == null ? List.of() : List.of(settings.configuration));
        TlsMaterial tls = settings.tls;
        if (tls != null) {
            follow(watch, "tls", new FollowedFiles<>("certificate", tls, tls::reread, this::replace), tls.paths());
        }
        Token token = settings.token;
        if (token != null) {
            FollowedFiles.Use<Token> replace = changed -> {
                admin.replace(changed);
                streams.endAll(); // who watches with the former token needs the new one
            };
            follow(watch, "token", new FollowedFiles<>("token", token, token::reread, replace), List.of(token.file()));
        }
    }

    /**
     * Follows files, unless there are none, or one is a pipe: that can be read once, and the thread that follows all files could wait for
     * more.
     */
    private void follow(FileWatch watch, String name, FollowedFiles<?> files, List<Path> paths) {
        metrics.monitor(name, files);
        if (!paths.isEmpty() && paths.stream().allMatch(path -> Files.isRegularFile(path) || Files.isDirectory(path))) {
            watch.start(files::look);
        }
    }

    /** Gives new connections other certificates. */
    private void replace(TlsMaterial material) throws IOException {
        material.check();
        http.replace(material);
        grpc.replace(material);
    }

    private boolean needsStore() {
        return settings.redis != null && settings.whenStoreFails == null;
    }

    private EnvoyService envoy(LiveConfiguration live, Limiters limiters, LiveDecisions decisions) {
        Overrides overrides = new Overrides(settings.fixedWindow, limiters.store());
        DescriptorMatcher matcher = new DescriptorMatcher(live, overrides, metrics);
        EnvoyDecider decider = new EnvoyDecider(matcher, limiters, decisions, settings.fixedWindow, settings.shadow);
        return new EnvoyService(decider::decide, needsStore());
    }

    /** {@return the port of HTTP} */
    public int port() {
        return http.port();
    }

    /** {@return the port of Envoy's service} */
    public int grpcPort() {
        return grpc.port();
    }

    /** Stops accepting requests, answers those that are there within 10 s, and then closes the store. */
    @Override
    public synchronized void close() {
        status.ready(false);
        try {
            closer.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
