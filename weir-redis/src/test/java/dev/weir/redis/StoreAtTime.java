package dev.weir.redis;

import dev.weir.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A server, and a store without cached denials whose scripts decide at a time that the test sets. */
final class StoreAtTime implements AutoCloseable {
    static final long START = 1_700_000_000_000_000L; // in microseconds

    private final AtomicLong now = new AtomicLong(START);
    private volatile LongSupplier time = now::get;
    final RedisStore store;

    private final RedisServer server;
    private final RedisClient client;

    private StoreAtTime(RedisServer server) {
        this.server = server;
        client = RedisClient.create(server.uri());
        store = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(30)) // a script that loops would exceed it, a busy machine does not
                .denialMemory(Duration.ZERO)
                .scriptTime(() -> PackedRequests.time(time.getAsLong()))
                .connect();
    }

    static StoreAtTime start() {
        return new StoreAtTime(RedisServer.start());
    }

    static StoreAtTime start(Path binary) {
        return new StoreAtTime(RedisServer.start(binary));
    }

    /** Decides at the time that a source returns, in microseconds, from now on. */
    void follow(LongSupplier source) {
        time = source;
    }

    /** Returns the time of the next request, in microseconds. */
    long now() {
        return now.get();
    }

    void set(long micros) {
        now.set(micros);
    }

    /** Advances the time, or sets it back if the number is negative. */
    void pass(long micros) {
        now.addAndGet(micros);
    }

    <T> RedisCommands<T, T> commands(RedisCodec<T, T> codec) {
        return client.connect(codec).sync();
    }

    @Override
    public void close() {
        store.close();
        client.shutdown();
        server.close();
    }
}
