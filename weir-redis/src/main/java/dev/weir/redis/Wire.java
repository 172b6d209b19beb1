package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends scripts: by their digest, and whole where the server does not know them. Nothing is sent again that may have run. */
final class Wire {
    private final Link link;

    Wire(Link link) {
        this.link = link;
    }

    /** The answer, or a {@link StoreException}. Answers to what is sent on one slot come in order. */
    CompletableFuture<Object> send(Script script, int slot, byte[][] keys, byte[][] values) {
        Circuit circuit = link.circuit(slot);
        StoreException open = script == Script.GIVE_BACK ? null : circuit.open(); // nobody waits for a give-back
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
            ScriptOutputType type = script == Script.DECIDE ? ScriptOutputType.VALUE : ScriptOutputType.INTEGER;
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

    /** What an error means: the server refused, or is not the one to ask, or cannot be asked. */
    private StoreException failed(int slot, Circuit circuit, @Nullable Throwable failure) {
        String message = failure == null ? "no answer" : String.valueOf(failure.getMessage());
        if (!(failure instanceof RedisCommandExecutionException)) {
            StoreException gone = new StoreException("Redis cannot be asked: " + message, failure);
            circuit.open(gone);
            return gone;
        }
        circuit.answered();
        StoreException refused = new StoreException("Redis refused: " + message, failure);
        if (message.startsWith("READONLY") || message.startsWith("LOADING") || message.startsWith("MASTERDOWN")) {
            link.turnedAway(slot);
        }
        return refused;
    }

    /** What an exception is about, in one line. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof TimeoutException
                ? "no answer"
                : String.valueOf(root.getMessage()).strip().replaceAll("\\s+", " ");
    }
}
