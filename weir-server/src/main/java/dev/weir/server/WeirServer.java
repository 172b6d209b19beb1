package dev.weir.server;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.io.IOException;

/** A running server. Thread-safe. */
public final class WeirServer implements AutoCloseable {
    private static final int WARM_UP_DECISIONS = 20;

    private final EventLoops loops;
    private final Store store;
    private final GrpcServer grpc;

    private WeirServer(EventLoops loops, Store store, GrpcServer grpc) {
        this.loops = loops;
        this.store = store;
        this.grpc = grpc;
    }

    /**
     * Starts a server.
     *
     * @param settings its settings
     * @return the server, which is ready
     * @throws ConfigurationException if the configuration cannot be used
     * @throws IllegalArgumentException if a setting is not valid
     * @throws IOException if an address cannot be used
     */
    public static WeirServer start(ServerSettings settings) throws IOException {
        EventLoops loops = new EventLoops();
        Store store = null;
        try {
            store = store(settings, loops);
            LiveConfiguration live = new LiveConfiguration(read(settings, store));
            Limiters limiters = new Limiters(store, settings.whenStoreFails);
            warmUp(limiters);
            Overrides overrides = new Overrides(settings.fixedWindow, store);
            EnvoyDecider decider = new EnvoyDecider(
                    new DescriptorMatcher(live, overrides), limiters, settings.fixedWindow, settings.shadow);
            boolean needsStore = settings.redis != null && settings.whenStoreFails == null;
            GrpcServer grpc =
                    GrpcServer.start(settings.host, settings.grpcPort, new EnvoyService(decider, needsStore), loops);
            return new WeirServer(loops, store, grpc);
        } catch (IOException | RuntimeException failure) {
            if (store != null) {
                store.close();
            }
            loops.close();
            throw failure;
        }
    }

    private static Store store(ServerSettings settings, EventLoops loops) {
        return settings.redis == null
                ? MemoryStore.create()
                : RedisStore.builder(settings.redis)
                        .timeout(settings.storeTimeout)
                        .clientResources(loops.forRedis())
                        .connect();
    }

    /** Decides a few times before there is a deadline, so that classes are loaded and scripts are known when the first call comes. */
    private static void warmUp(Limiters limiters) {
        Limits limits = Limits.parse("1/1ms");
        for (int i = 0; i < WARM_UP_DECISIONS; i++) {
            Decision unused = RateLimiter.tryAcquireAll(limiters.descriptor(limits, "warm-up", 1));
        }
    }

    private static Configuration read(ServerSettings settings, Store store) {
        return settings.configuration == null
                ? Configuration.EMPTY
                : new ConfigurationReader(settings.fixedWindow, store)
                        .read(new ConfigurationFiles(settings.configuration).read());
    }

    /** {@return the port of Envoy's service} */
    public int grpcPort() {
        return grpc.port();
    }

    /** Stops accepting requests, answers those that are there within 10 s, and then closes the store. */
    @Override
    public void close() {
        grpc.close();
        store.close();
        loops.close();
    }
}
