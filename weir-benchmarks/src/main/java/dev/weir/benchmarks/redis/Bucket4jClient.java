package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Bucket4j: a bucket a key by compare and swap on one connection of Lettuce's, refilled greedily. */
final class Bucket4jClient implements RemoteClient {
    private final LettuceConnection connection;
    private final ProxyManager<byte[]> buckets;

    Bucket4jClient(String uri) {
        connection = new LettuceConnection(uri);
        buckets = Bucket4jLettuce.casBasedBuilder(connection.get())
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
                .build();
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(
                        bandwidth -> bandwidth.capacity(limit.permits()).refillGreedy(limit.permits(), limit.window()))
                .build();
        BucketProxy[] proxies = new BucketProxy[keys.size()];
        AsyncBucketProxy[] asynchronous = new AsyncBucketProxy[keys.size()];
        byte[][] names = LettuceConnection.keys("bucket4j:", keys);
        for (int i = 0; i < names.length; i++) {
            proxies[i] = buckets.builder().build(names[i], () -> configuration);
            asynchronous[i] =
                    buckets.asAsync().builder().build(names[i], () -> CompletableFuture.completedFuture(configuration));
        }
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return proxies[key].tryConsume(1);
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(asynchronous[key].tryConsume(1), Boolean::booleanValue, answer);
            }
        };
    }

    @Override
    public void close() {
        connection.close();
    }
}
