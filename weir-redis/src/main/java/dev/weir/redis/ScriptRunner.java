package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts: by their digest, or whole if the server does not know them. A script that may have run is not repeated; one that did
 * not, because a slot of a cluster is moving, is sent again until it runs or its time is over.
 */
final class ScriptRunner {
    private static final Executor AFTER_PAUSE =
            CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, ForkJoinPool.commonPool());

    private final RedisConnection connection;
    private final EventNotifier events;
    private final Timer timer;

    /** Notified of what happens to a script until there is a reply. */
    interface Progress {
        /** Called on the I/O thread when the client writes the command; what that thread sends later arrives later. */
        default void written() {}

        /**
         * Called if the script did not run because the slot of its keys is moving. Returns whether they are sent apart: then this script is
         * not sent again, and has no reply.
         */
        default boolean split() {
            return false;
        }

        /** Called each time the script waits because its slot is moving, and will be sent again. */
        default void moving() {}
    }

    ScriptRunner(RedisConnection connection, EventNotifier events, Timer timer) {
        this.connection = connection;
        this.events = events;
        this.timer = timer;
    }

    /** Returns the circuit of the server that serves a slot. */
    CircuitBreaker circuit(int slot) {
        return connection.circuit(slot);
    }

    /** Whether the keys of a script must be in one slot. */
    boolean isCluster() {
        return connection.isCluster();
    }

    /**
     * Runs a script on the server of its keys. Scripts of one slot run in the order of these calls, unless the server has to be
     * sent the whole script, or the slot is moving.
     *
     * @param circuit the circuit of the server that serves the slot of the keys
     * @param timeoutNanos how long the answer may take; for half of that, so that the reason is known in time, the script is sent
     *     again while the slot is moving
     * @param progress notified until there is a reply
     * @return a future of the reply, or of a {@link StoreException}
     */
    CompletableFuture<Object> run(
            Script script,
            CircuitBreaker circuit,
            byte[][] keys,
            byte[][] values,
            long timeoutNanos,
            Progress progress) {
        Call call = new Call(script, circuit, keys, values, timer.nanos() + timeoutNanos / 2, progress);
        call.send();
        return call.reply;
    }

    /**
     * Runs an action, at least once, on the I/O thread of a key's server, or at once if there is no connection. That takes a command
     * which that thread writes, since Lettuce runs nothing else on it.
     */
    void whenReading(byte[] key, Runnable action) {
        RedisClusterAsyncCommands<byte[], byte[]> commands = connection.commands();
        if (commands == null) {
            action.run();
            return;
        }
        Arguments arguments = new Arguments(action);
        arguments.addKey(key);
        try {
            var unused = commands.dispatch(CommandType.PTTL, output(ScriptOutputType.INTEGER), arguments)
                    .whenComplete((ttl, error) -> action.run());
        } catch (RuntimeException closed) { // or the client is shut down: there is nothing to read
            action.run();
        }
    }

    /** A call of a script. */
    private final class Call {
        private final Script script;
        private final CircuitBreaker circuit;
        private final byte[][] keys;
        private final byte[][] values;
        private final long until; // it is not sent again later
        private byte[][] names; // with which it is sent
        private volatile boolean written; // to a server, which may have redirected it
        private final AtomicBoolean waiting = new AtomicBoolean(); // for the I/O thread to write it
        private final Progress progress;
        private final CompletableFuture<Object> reply = new CompletableFuture<>();

        Call(Script script, CircuitBreaker circuit, byte[][] keys, byte[][] values, long until, Progress progress) {
            this.script = script;
            this.circuit = circuit;
            this.keys = keys;
            this.values = values;
            this.until = until;
            this.names = keys;
            this.progress = progress;
        }

        void send() {
            StoreException failure = script == Script.REFUND ? null : circuit.failure(); // nobody waits for a refund
            long sentAt = timer.nanos(); // before the connection is replaced, if it is the former one
            RedisClusterAsyncCommands<byte[], byte[]> commands = connection.commands();
            if (failure == null && commands == null) {
                failure = new StoreException("Redis is not connected");
                circuit.open(failure, sentAt); // if the connection was lost before anyone noticed
            }
            if (failure != null || commands == null) {
                reply.completeExceptionally(failure);
                return;
            }
            ScriptOutputType type = script.output();
            written = false;
            waiting.set(true);
            circuit.sending();
            try {
                var unused = commands.dispatch(CommandType.EVALSHA, output(type), arguments())
                        .whenComplete((value, error) -> orFail(() -> {
                            notWaiting();
                            if (error instanceof RedisNoScriptException) {
                                var unusedToo = commands.<Object>eval(script.text(), type, names, values)
                                        .whenComplete((now, why) -> orFail(() -> answered(sentAt, now, why)));
                            } else {
                                answered(sentAt, value, error);
                            }
                        }));
            } catch (RuntimeException | Error failed) {
                notWaiting();
                if (failed instanceof RedisException) { // it is closed
                    answered(sentAt, null, failed);
                } else {
                    throw failed;
                }
            }
        }

        /** Runs a step of which no caller sees the exception: it fails the call, so that there always is a reply. */
        private void orFail(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException | Error failure) {
                reply.completeExceptionally(notSent(failure));
            }
        }

        private Arguments arguments() {
            Arguments arguments = new Arguments(this::written);
            arguments.add(script.digest()).add(names.length).addKeys(names).addValues(values);
            return arguments;
        }

        private void written() {
            written = true;
            notWaiting();
            progress.written();
        }

        private void notWaiting() {
            if (waiting.compareAndSet(true, false)) {
                circuit.written();
            }
        }

        private void answered(long sentAt, @Nullable Object value, @Nullable Throwable error) {
            if (error == null && value != null) {
                circuit.answered(sentAt);
                reply.complete(value);
            } else if (Errors.isMoving(error) && sendAgain()) {
                circuit.answered(sentAt);
            } else if (written && Errors.isNotConnected(error)) {
                // the server redirected it to another one, to which the client is only now connecting
                circuit.answered(sentAt);
                reply.completeExceptionally(notSent(error));
            } else {
                reply.completeExceptionally(failed(circuit, sentAt, error));
            }
        }

        /**
         * Sends what did not run because its slot is moving: without the name of the hash, and after a pause with it again. Returns false if
         * it is too late for that.
         */
        private boolean sendAgain() {
            if (names == keys && progress.split()) {
                return true;
            } else if (names == keys && keys.length == 2 && script != Script.RESET) {
                names = Keys.withoutHash(keys);
                send();
                return true;
            } else if (until - timer.nanos() <= 0) {
                return false;
            }
            names = keys;
            progress.moving();
            AFTER_PAUSE.execute(() -> orFail(this::send));
            return true;
        }
    }

    @SuppressWarnings("unchecked") // the reply is an object, whatever its type
    private static CommandOutput<byte[], byte[], Object> output(ScriptOutputType type) {
        CommandOutput<byte[], byte[], ?> output = type == ScriptOutputType.INTEGER
                ? new IntegerOutput<>(ByteArrayCodec.INSTANCE)
                : new ValueOutput<>(ByteArrayCodec.INSTANCE);
        return (CommandOutput<byte[], byte[], Object>) output;
    }

    /** The arguments of a command, which notify when the I/O thread writes them. */
    private static final class Arguments extends CommandArgs<byte[], byte[]> {
        private final Runnable written;

        Arguments(Runnable written) {
            super(ByteArrayCodec.INSTANCE);
            this.written = written;
        }

        @Override
        public void encode(ByteBuf to) {
            super.encode(to);
            written.run();
        }
    }

    /** Returns the failure that an error means: the server refused, is not the primary, or could not be reached. */
    private StoreException failed(CircuitBreaker circuit, long sentAt, @Nullable Throwable error) {
        if (!(error instanceof RedisCommandExecutionException)) {
            StoreException lost = notSent(error);
            circuit.open(lost, sentAt);
            return lost;
        }
        StoreException refused = new StoreException("Redis refused: " + Errors.refusal(error), error);
        // probes of a node of a cluster do not write
        if (connection.isCluster() ? Errors.isNotPrimary(error) : Errors.refusesWrites(error)) {
            if (circuit.open(refused, sentAt)) {
                connection.findPrimary();
            }
        } else {
            circuit.answered(sentAt);
            events.refused(refused);
            if (connection.isCluster() && Errors.isClusterDown(error)) {
                connection.findPrimary(); // it may be cut off from the others, which serve its slots
            }
        }
        return refused;
    }

    /** Returns the failure of a request that could not be sent, or whose connection was lost. */
    static StoreException notSent(@Nullable Throwable error) {
        String reason = error == null ? "no answer" : Errors.reason(error);
        return new StoreException("the request to Redis failed: " + reason, error);
    }
}
