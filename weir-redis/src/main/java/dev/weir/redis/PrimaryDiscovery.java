package dev.weir.redis;

import dev.weir.internal.Futures;
import dev.weir.store.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds the primary: the server of a URI, or the one that the sentinels of a URI name. All sentinels are asked. Each failover has a
 * higher epoch than those before it, so the answer of a sentinel that missed one is known to be old. Thread-safe.
 */
final class PrimaryDiscovery {
    private static final long CONNECT_SECONDS = 2; // less than a probe may take

    private final RedisClient client;
    private final RedisURI uri;
    private final List<Sentinel> sentinels;
    private volatile boolean closed;

    /**
     * Creates it without connections.
     *
     * @param uri a server; or the sentinels, each with the timeout of its answer, and the name of the primary
     */
    PrimaryDiscovery(RedisClient client, RedisURI uri) {
        this.client = client;
        this.uri = uri;
        this.sentinels = uri.getSentinels().stream().map(Sentinel::new).toList();
    }

    /**
     * A server that is said to be the primary.
     *
     * @param uri the server
     * @param epoch the epoch of the failover that made it the primary; 0 if there was none, or if the sentinel does not say
     */
    record Primary(RedisURI uri, long epoch) {}

    /** Whether another server may become the primary. */
    boolean mayChange() {
        return !sentinels.isEmpty();
    }

    /** Returns what the sentinels with the newest configuration name; more than one server only if they contradict each other. */
    CompletableFuture<List<Primary>> find() {
        if (sentinels.isEmpty()) {
            return CompletableFuture.completedFuture(List.of(new Primary(uri, 0)));
        }
        List<CompletableFuture<Primary>> answers =
                sentinels.stream().map(Sentinel::ask).toList();
        CompletableFuture<?>[] ended = answers.stream()
                .map(answer -> answer.handle((named, failure) -> true))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(ended).thenCompose(all -> newest(answers));
    }

    private static CompletableFuture<List<Primary>> newest(List<CompletableFuture<Primary>> answers) {
        List<Primary> named = answers.stream()
                .filter(answer -> !answer.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
        long epoch = named.stream().mapToLong(Primary::epoch).max().orElse(0);
        return named.isEmpty()
                ? answers.get(0).thenApply(List::of) // fails
                : CompletableFuture.completedFuture(named.stream()
                        .filter(primary -> primary.epoch() == epoch)
                        .distinct()
                        .toList());
    }

    /** Closes the connections to the sentinels. */
    void close() {
        closed = true;
        sentinels.forEach(Sentinel::disconnect);
    }

    /** One sentinel, to which the connection is kept: a plain one, since the client warns of each that a sentinel does not accept. */
    private final class Sentinel {
        private final RedisURI address;
        private final AtomicReference<@Nullable StatefulRedisConnection<String, String>> connection =
                new AtomicReference<>();

        Sentinel(RedisURI address) {
            this.address = address;
        }

        /** Asks for the primary. If there is no answer, the next question is sent on a new connection. */
        CompletableFuture<Primary> ask() {
            StatefulRedisConnection<String, String> known = connection.get();
            CompletableFuture<StatefulRedisConnection<String, String>> connected = known != null
                    ? CompletableFuture.completedFuture(known)
                    : Futures.attempt(() -> client.connectAsync(StringCodec.UTF8, address)
                                    .toCompletableFuture())
                            .thenApply(this::keep)
                            .copy() // a connection that is made too late is kept, too
                            .orTimeout(CONNECT_SECONDS, TimeUnit.SECONDS); // a user's client may wait for longer
            return connected.thenCompose(made -> ask(made.async())
                    .orTimeout(address.getTimeout().toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete((primary, failure) -> {
                        if (failure != null && !(Futures.cause(failure) instanceof StoreException)) {
                            close(made);
                        }
                    }));
        }

        /** Asks for the epoch first: if a failover ends in between, the epoch is too old, and the next answer corrects it. */
        private CompletableFuture<Primary> ask(RedisAsyncCommands<String, String> sentinel) {
            CompletableFuture<Long> epoch = ask(sentinel, "MASTER", new MapOutput<>(StringCodec.UTF8))
                    .handle(
                            (fields, denied) -> // the user of the sentinel may only be allowed to ask for the address
                            denied == null ? Long.parseLong(fields.getOrDefault("config-epoch", "0")) : 0L);
            return ask(sentinel, "GET-MASTER-ADDR-BY-NAME", new ValueListOutput<>(StringCodec.UTF8))
                    .thenCombine(epoch, this::primary);
        }

        private <T> CompletableFuture<T> ask(
                RedisAsyncCommands<String, String> sentinel, String what, CommandOutput<String, String, T> answer) {
            CommandArgs<String, String> question =
                    new CommandArgs<>(StringCodec.UTF8).add(what).add(uri.getSentinelMasterId());
            return sentinel.dispatch(CommandType.SENTINEL, answer, question).toCompletableFuture();
        }

        private Primary primary(List<String> hostAndPort, long epoch) {
            if (hostAndPort.isEmpty()) {
                throw new StoreException("the sentinel at " + RedisUris.address(address) + " does not know "
                        + uri.getSentinelMasterId());
            }
            RedisURI server = RedisURI.builder(uri)
                    .withHost(hostAndPort.get(0))
                    .withPort(Integer.parseInt(hostAndPort.get(1)))
                    .build();
            return new Primary(server, epoch);
        }

        /** Keeps a connection, unless another question has made one. Returns the one that is kept. */
        private StatefulRedisConnection<String, String> keep(StatefulRedisConnection<String, String> made) {
            StatefulRedisConnection<String, String> known = connection.compareAndExchange(null, made);
            if (closed || known != null) {
                close(made);
            }
            return known == null ? made : known;
        }

        void disconnect() {
            StatefulRedisConnection<String, String> known = connection.get();
            if (known != null) {
                close(known);
            }
        }

        private void close(StatefulRedisConnection<String, String> gone) {
            connection.compareAndSet(gone, null);
            CompletableFuture<Void> unused = gone.closeAsync();
        }
    }
}
