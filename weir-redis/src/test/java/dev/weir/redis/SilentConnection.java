package dev.weir.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ObjectOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A connection to a server that answers only if the test does. */
final class SilentConnection implements RedisConnection {
    private final Timer timer;
    private final ScheduledExecutorService probes = Executors.newSingleThreadScheduledExecutor();
    volatile CircuitBreaker circuit;

    /** Returns the future of each command that is sent. */
    volatile Supplier<RedisFuture<?>> sending = SilentConnection::unanswered;

    /** Gets each script that is sent, to write it. */
    volatile Consumer<CommandArgs<?, ?>> writing = command -> {};

    static void write(CommandArgs<?, ?> command) {
        command.encode(Unpooled.buffer());
    }

    /** Returns the future of each command that asks whether the I/O thread runs. */
    volatile Supplier<RedisFuture<?>> reading = () -> {
        AsyncCommand<byte[], byte[], Object> read = unanswered();
        read.complete(-2L);
        return read;
    };

    /** Called when a circuit is looked up, before a request is in flight. */
    volatile Runnable looking = () -> {};

    final AtomicInteger sent = new AtomicInteger();

    SilentConnection(Timer timer) {
        this.timer = timer;
        this.circuit = newCircuit();
    }

    static AsyncCommand<byte[], byte[], Object> unanswered() {
        return new AsyncCommand<>(new Command<>(CommandType.EVALSHA, new ObjectOutput<>(ByteArrayCodec.INSTANCE)));
    }

    CircuitBreaker newCircuit() {
        return newCircuit(Duration.ofMillis(100));
    }

    /** Returns a circuit that opens when no script was answered for three of these timeouts. */
    CircuitBreaker newCircuit(Duration timeout) {
        return new CircuitBreaker(
                probes, CompletableFuture::new, new EventNotifier(List.of()), timer, timeout.toNanos());
    }

    @Override
    public CompletableFuture<Void> start() {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CircuitBreaker circuit(int slot) {
        looking.run();
        return circuit;
    }

    @Override
    @SuppressWarnings("unchecked")
    public RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, arguments) -> {
                    if (arguments[0] == CommandType.PTTL) {
                        return reading.get();
                    }
                    sent.incrementAndGet();
                    if (arguments[0] == CommandType.EVALSHA) {
                        writing.accept((CommandArgs<?, ?>) arguments[2]);
                    }
                    return sending.get();
                });
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public void findPrimary() {}

    @Override
    public void close() {
        probes.shutdownNow();
    }
}
