package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson: an {@code RRateLimiter} a key, its rate set beforehand. All of the client's settings are the usual ones. */
final class RedissonLimiters implements RemoteClient {
    private final RedissonClient client;

    RedissonLimiters(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        client = Redisson.create(config);
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        RRateLimiter[] limiters = keys.stream()
                .map(key -> client.getRateLimiter("redisson:" + key))
                .toArray(RRateLimiter[]::new);
        CompletableFuture<?>[] rates = new CompletableFuture<?>[limiters.length];
        for (int i = 0; i < limiters.length; i++) {
            rates[i] = limiters[i]
                    .trySetRateAsync(RateType.OVERALL, limit.permits(), limit.window())
                    .toCompletableFuture();
        }
        CompletableFuture.allOf(rates).join();
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return limiters[key].tryAcquire();
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(limiters[key].tryAcquireAsync(), Boolean::booleanValue, answer);
            }
        };
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
