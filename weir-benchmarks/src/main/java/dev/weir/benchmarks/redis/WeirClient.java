package dev.weir.benchmarks.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Listener;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.List;

/** Weir by its public path, {@link RateLimiter}, on a {@link RedisStore}. */
final class WeirClient implements RemoteClient {
    private static final Duration PATIENCE = Duration.ofSeconds(10); // what fails must show, not be decided by policy

    private final RedisStore store;

    private WeirClient(RedisStore store) {
        this.store = store;
    }

    /** The store as everyone gets it. */
    static WeirClient usual(String uri) {
        return new WeirClient(store(uri, true));
    }

    /** A store that asks the server about each request, were the last one denied or not. */
    static WeirClient withoutDenialMemory(String uri) {
        return new WeirClient(store(uri, false));
    }

    /** The only place where a store is made. */
    private static RedisStore store(String uri, boolean denialMemory) {
        RedisStore.Builder builder = RedisStore.builder(uri).timeout(PATIENCE);
        return (denialMemory ? builder : builder.denialMemory(Duration.ZERO)).connect();
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        RateLimiter limiter = RateLimiter.builder()
                .name("bench")
                .limit(limit)
                .store(store)
                .listener(new Listener() {
                    @Override
                    public void storeFailed(String name, String key, StoreException why) {
                        throw why;
                    }
                })
                .build();
        String[] names = keys.toArray(String[]::new);
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return limiter.tryAcquire(names[key]).allowed();
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(limiter.acquireAsync(names[key], Duration.ZERO), Decision::allowed, answer);
            }
        };
    }

    @Override
    public void close() {
        store.close();
    }
}
