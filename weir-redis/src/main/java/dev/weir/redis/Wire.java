package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends scripts: by their digest, and whole if the server does not know them. Scripts that may have run are not repeated. */
final class Wire {
    private final Link link;

    Wire(Link link) {
        this.link = link;
    }

    /** Returns a future of the answer or a {@link StoreException}. Answers to scripts of one slot come in the order of sending. */
    CompletableFuture<Object> send(Script script, int slot, byte[][] keys, byte[][] values) {
        Circuit circuit = link.circuit(slot);
        StoreException open = script == Script.REFUND ? null : circuit.open(); // nobody waits for a refund
        RedisScriptingAsyncCommands<byte[], byte[]> commands = link.commands();
        if (open != null) {
            return CompletableFuture.failedFuture(open);
        }
        if (commands == null) {
            StoreException away = new StoreException("Redis is not connected");
            circuit.open(away); // so that it will be, if it was lost the moment it was there
            return CompletableFuture.failedFuture(away);
        }
        CompletableFuture<Object> answer = new CompletableFuture<>();
        try {
            ScriptOutputType type = script.output();
            var unused = commands.<Object>evalsha(script.digest(), type, keys, values)
                    .whenComplete((told, failure) -> {
                        if (failure instanceof RedisNoScriptException) {
                            var unusedToo = commands.<Object>eval(script.text(), type, keys, values)
                                    .whenComplete((now, why) -> end(answer, slot, circuit, now, why));
                        } else {
                            end(answer, slot, circuit, told, failure);
                        }
                    });
        } catch (RedisException closed) {
            end(answer, slot, circuit, null, closed);
        }
        return answer;
    }

    private void end(
            CompletableFuture<Object> answer,
            int slot,
            Circuit circuit,
            @Nullable Object told,
            @Nullable Throwable failure) {
        if (failure == null && told != null) {
            circuit.answered();
            answer.complete(told);
        } else {
            answer.completeExceptionally(failed(slot, circuit, failure));
        }
    }

    /** Returns the failure that an error means: the server refused, is not the primary, or could not be reached. */
    private StoreException failed(int slot, Circuit circuit, @Nullable Throwable failure) {
        if (!(failure instanceof RedisCommandExecutionException)) {
            StoreException gone = notSent(failure);
            circuit.open(gone);
            return gone;
        }
        circuit.answered();
        String message = String.valueOf(failure.getMessage());
        StoreException refused = new StoreException("Redis refused: " + message, failure);
        if (message.startsWith("READONLY") || message.startsWith("LOADING") || message.startsWith("MASTERDOWN")) {
            link.turnedAway(slot);
        }
        return refused;
    }

    /** Returns the failure of a request that could not be sent, or whose connection was lost. */
    static StoreException notSent(@Nullable Throwable failure) {
        String reason = failure == null ? "no answer" : Circuit.reason(failure);
        return new StoreException("the request to Redis failed: " + reason, failure);
    }
}
