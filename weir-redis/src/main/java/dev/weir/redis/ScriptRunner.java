package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Runs scripts: by their digest, or whole if the server does not know them. A script that may have run is not repeated. */
final class ScriptRunner {
    private final RedisConnection connection;

    ScriptRunner(RedisConnection connection) {
        this.connection = connection;
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
     * Runs a script on the server of a slot. Scripts of one slot run in the order of these calls, unless the server has to be
     * sent the whole script.
     *
     * @return a future of the reply, or of a {@link StoreException}
     */
    CompletableFuture<Object> run(Script script, int slot, byte[][] keys, byte[][] values) {
        CircuitBreaker circuit = connection.circuit(slot);
        StoreException failure = script == Script.REFUND ? null : circuit.failure(); // nobody waits for a refund
        RedisScriptingAsyncCommands<byte[], byte[]> commands = connection.commands();
        if (failure == null && commands == null) {
            failure = new StoreException("Redis is not connected");
            circuit.open(failure, System.nanoTime()); // if the connection was lost before anyone noticed
        }
        if (failure != null || commands == null) {
            return CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<Object> reply = new CompletableFuture<>();
        long sentAt = System.nanoTime();
        try {
            ScriptOutputType type = script.output();
            var unused = commands.<Object>evalsha(script.digest(), type, keys, values)
                    .whenComplete((value, error) -> {
                        if (error instanceof RedisNoScriptException) {
                            var unusedToo = commands.<Object>eval(script.text(), type, keys, values)
                                    .whenComplete((now, why) -> complete(reply, circuit, sentAt, now, why));
                        } else {
                            complete(reply, circuit, sentAt, value, error);
                        }
                    });
        } catch (RedisException closed) {
            complete(reply, circuit, sentAt, null, closed);
        }
        return reply;
    }

    private void complete(
            CompletableFuture<Object> reply,
            CircuitBreaker circuit,
            long sentAt,
            @Nullable Object value,
            @Nullable Throwable error) {
        if (error == null && value != null) {
            circuit.answered(sentAt);
            reply.complete(value);
        } else {
            reply.completeExceptionally(failed(circuit, sentAt, error));
        }
    }

    /** Returns the failure that an error means: the server refused, is not the primary, or could not be reached. */
    private StoreException failed(CircuitBreaker circuit, long sentAt, @Nullable Throwable error) {
        if (!(error instanceof RedisCommandExecutionException)) {
            StoreException lost = notSent(error);
            circuit.open(lost, sentAt);
            return lost;
        }
        StoreException refused = new StoreException("Redis refused: " + error.getMessage(), error);
        if (Errors.isNotPrimary(error)) {
            if (circuit.open(refused, sentAt)) {
                connection.replace(circuit);
            }
        } else {
            circuit.answered(sentAt);
        }
        return refused;
    }

    /** Returns the failure of a request that could not be sent, or whose connection was lost. */
    static StoreException notSent(@Nullable Throwable error) {
        String reason = error == null ? "no answer" : Errors.reason(error);
        return new StoreException("the request to Redis failed: " + reason, error);
    }
}
