package dev.weir.benchmarks.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import java.time.Duration;
import java.util.List;

/** Weir by its public path, {@link RateLimiter}, on a {@link RedisStore}. */
final class WeirClient implements RemoteClient {
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

    /** The only place where a store is made. There is no denial memory to turn off yet. */
    @SuppressWarnings("unused")
    private static RedisStore store(String uri, boolean denialMemory) {
        return RedisStore.connect(uri);
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        RateLimiter limiter =
                RateLimiter.builder().name("bench").limit(limit).store(store).build();
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
