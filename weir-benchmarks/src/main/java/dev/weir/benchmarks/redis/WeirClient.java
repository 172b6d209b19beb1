package dev.weir.benchmarks.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimiterListener;
import dev.weir.RateLimiter;
import dev.weir.redis.RedisStore;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Weir by its public path, {@link RateLimiter}, on a {@link RedisStore}. */
final class WeirClient implements RemoteClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisStore store;

    private WeirClient(RedisStore store) {
        this.store = store;
    }

    /** Creates a client with the default settings, except for the timeout. */
    static WeirClient usual(String uri) {
        return new WeirClient(RedisStore.builder(uri).timeout(TIMEOUT).connect());
    }

    /** Creates a client that sends each request to the server, whether the previous one was denied or not. */
    static WeirClient withoutDenialMemory(String uri) {
        return new WeirClient(RedisStore.builder(uri)
                .timeout(TIMEOUT)
                .denialMemory(Duration.ZERO)
                .connect());
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        Failures failures = new Failures();
        RateLimiter limiter = RateLimiter.builder()
                .name("bench")
                .limit(limit)
                .store(store)
                .listener(failures)
                .build();
        String[] names = keys.toArray(String[]::new);
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return failures.allowed(limiter.tryAcquire(names[key]));
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(limiter.tryAcquireAsync(names[key]), failures::allowed, answer);
            }
        };
    }

    @Override
    public void close() {
        store.close();
    }

    /** Makes a measurement fail if the failure policy has decided instead of the server. */
    private static final class Failures implements LimiterListener {
        private volatile @Nullable StoreException latest;

        @Override
        public void storeFailed(String limiter, String key, StoreException failure) {
            latest = failure;
        }

        boolean allowed(Decision decision) {
            if (decision.degraded()) {
                throw new StoreException("decided without the server", latest);
            }
            return decision.allowed();
        }
    }
}
