package dev.weir.benchmarks.redis;

import static io.lettuce.core.ScriptOutputType.INTEGER;

import com.google.common.io.Resources;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.redis.RedisStore;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * The connections of a contestant to the server.
 *
 * @param limiters creates a limiter of some keys, with all prepared that is created once for each key
 */
public record RemoteClient(Runnable closing, BiFunction<Limit, List<String>, RemoteLimiter> limiters)
        implements AutoCloseable {
    private static final byte[] VALUE = bytes("12345678");
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** So large that all members have the same length. */
    private static final long FIRST_MEMBER = 1_000_000;

    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        return limiters.apply(limit, keys);
    }

    @Override
    public void close() {
        closing.run();
    }

    /** Returns the given number of keys, of about the length of a user's name. */
    public static List<String> keys(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + "-" + i).toList();
    }

    private static byte[][] prefixed(String prefix, List<String> keys) {
        return keys.stream().map(key -> bytes(prefix + key)).toArray(byte[][]::new);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sets a key to a value of eight bytes and calls that an admission. */
    static RemoteClient set(String uri) {
        RedisClient client = RedisClient.create(uri);
        var connection = client.connect(ByteArrayCodec.INSTANCE);
        var sync = connection.sync();
        var async = connection.async();
        return new RemoteClient(client::shutdown, (limit, keys) -> {
            byte[][] names = prefixed("set:", keys);
            return new RemoteLimiter(
                    key -> "OK".equals(sync.set(names[key], VALUE)),
                    key -> async.set(names[key], VALUE).thenApply("OK"::equals));
        });
    }

    /** The script of the textbooks, {@code zset.lua}, by {@code EVALSHA} on one connection. */
    static RemoteClient zset(String uri) {
        RedisClient client = RedisClient.create(uri);
        var connection = client.connect(ByteArrayCodec.INSTANCE);
        var sync = connection.sync();
        var async = connection.async();
        byte[] script = FailedMeasureException.result(
                "zset.lua", () -> Resources.toByteArray(Resources.getResource(RemoteClient.class, "zset.lua")));
        String digest = sync.scriptLoad(script);
        // Makes the members unique: 64 bits that no other process has, and a count.
        String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ":";
        AtomicLong member = new AtomicLong(FIRST_MEMBER);
        return new RemoteClient(client::shutdown, (limit, keys) -> {
            byte[][] names = prefixed("zset:", keys);
            byte[] permits = number(limit.permits());
            byte[] micros = number(limit.windowNanos() / NANOS_PER_MICRO);
            byte[] millis = number((limit.windowNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
            Supplier<byte[][]> arguments =
                    () -> new byte[][] {permits, micros, millis, bytes(id + member.incrementAndGet())};
            return new RemoteLimiter(
                    key -> sync.<Long>evalsha(digest, INTEGER, new byte[][] {names[key]}, arguments.get()) == 1,
                    key -> async.<Long>evalsha(digest, INTEGER, new byte[][] {names[key]}, arguments.get())
                            .thenApply(answer -> answer == 1));
        });
    }

    private static byte[] number(long number) {
        return bytes(Long.toString(number));
    }

    /** Bucket4j: a bucket for each key by compare and swap on one connection, refilled greedily. The prefix is that of its keys. */
    static RemoteClient bucket4j(String uri, String prefix, Optimization optimization) {
        RedisClient client = RedisClient.create(uri);
        ProxyManager<byte[]> buckets = Bucket4jLettuce.casBasedBuilder(client.connect(ByteArrayCodec.INSTANCE))
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
                .build();
        return new RemoteClient(client::shutdown, (limit, keys) -> {
            BucketConfiguration configuration = BucketConfiguration.builder()
                    .addLimit(bandwidth ->
                            bandwidth.capacity(limit.permits()).refillGreedy(limit.permits(), limit.window()))
                    .build();
            List<byte[]> names = List.of(prefixed(prefix, keys));
            BucketProxy[] sync = names.stream()
                    .map(name ->
                            buckets.builder().withOptimization(optimization).build(name, () -> configuration))
                    .toArray(BucketProxy[]::new);
            AsyncBucketProxy[] async = names.stream()
                    .map(name -> buckets.asAsync()
                            .builder()
                            .withOptimization(optimization)
                            .build(name, () -> CompletableFuture.completedFuture(configuration)))
                    .toArray(AsyncBucketProxy[]::new);
            return new RemoteLimiter(key -> sync[key].tryConsume(1), key -> async[key].tryConsume(1));
        });
    }

    /** Redisson: an {@code RRateLimiter} for each key, its rate set beforehand, with the default settings. */
    public static RemoteClient redisson(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        RedissonClient client = Redisson.create(config);
        return new RemoteClient(client::shutdown, (limit, keys) -> {
            RRateLimiter[] limiters = keys.stream()
                    .map(key -> client.getRateLimiter("redisson:" + key))
                    .toArray(RRateLimiter[]::new);
            CompletableFuture<?>[] rates = List.of(limiters).stream()
                    .map(limiter -> limiter.trySetRateAsync(RateType.OVERALL, limit.permits(), limit.window())
                            .toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(rates).join();
            return new RemoteLimiter(key -> limiters[key].tryAcquire(), key -> limiters[key].tryAcquireAsync());
        });
    }

    /** Weir by its public path, {@link RateLimiter}, with the default settings, except for the timeout. */
    public static RemoteClient weir(RedisStore.Builder builder) {
        RedisStore store = builder.timeout(TIMEOUT).connect();
        return new RemoteClient(store::close, (limit, keys) -> {
            RateLimiter limiter = limiter("bench", limit, store);
            return new RemoteLimiter(
                    key -> isAllowed(limiter.tryAcquire(keys.get(key))),
                    key -> limiter.tryAcquireAsync(keys.get(key)).thenApply(RemoteClient::isAllowed));
        });
    }

    /** Weir, with joint requests on two keys each. */
    static RemoteClient weirJoint(RedisStore.Builder builder) {
        RedisStore store = builder.timeout(TIMEOUT).connect();
        return new RemoteClient(store::close, (limit, keys) -> {
            RateLimiter one = limiter("bench-one", limit, store);
            RateLimiter other = limiter("bench-other", limit, store);
            IntFunction<CompletableFuture<Boolean>> sending = key -> RateLimiter.tryAcquireAllAsync(
                            one.request(keys.get(key), 1), other.request(keys.get(key), 1))
                    .thenApply(RemoteClient::isAllowed);
            return new RemoteLimiter(key -> sending.apply(key).join(), sending);
        });
    }

    private static RateLimiter limiter(String name, Limit limit, RedisStore store) {
        return RateLimiter.builder().name(name).limit(limit).store(store).build();
    }

    /** Fails if the failure policy has decided instead of the server. */
    private static boolean isAllowed(Decision decision) {
        if (decision.degraded()) {
            throw new FailedMeasureException("decided without the server");
        }
        return decision.allowed();
    }
}
