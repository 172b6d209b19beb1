package dev.weir.redis;

import dev.weir.internal.Futures;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks that a server answers in time. Immutable. */
final class Probe {
    private final byte[] absentKey;
    private final Timer timer;
    private final long timeoutNanos;

    /**
     * Creates a probe.
     *
     * @param absentKey a key that does not exist
     * @param timer the time that the answer may take
     * @param timeoutNanos the time in which the server has to answer
     */
    Probe(byte[] absentKey, Timer timer, long timeoutNanos) {
        this.absentKey = absentKey;
        this.timer = timer;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Checks that a server accepts writes, by deleting a key that does not exist. A refusal of the command is an answer, too, so it
     * is one that a user for Weir may run: to others a replica does not answer that it is one.
     */
    CompletableFuture<Void> write(StatefulRedisConnection<byte[], byte[]> connection) {
        return answered(connection.async().unlink(absentKey).toCompletableFuture());
    }

    /** Checks that a node of a cluster answers, whatever its slots are. */
    CompletableFuture<Void> ping(StatefulRedisConnection<byte[], byte[]> connection) {
        return answered(connection.async().ping().toCompletableFuture());
    }

    private CompletableFuture<Void> answered(CompletableFuture<?> reply) {
        long sentAt = timer.nanos();
        CompletableFuture<Void> result = new CompletableFuture<>();
        CompletableFuture<?> unused = timer.orTimeout(reply.copy(), CircuitBreaker.PROBE_NANOS)
                .whenComplete((answer, error) -> {
                    long nanos = timer.nanos() - sentAt;
                    if (error != null && (!isRefusal(error) || Errors.refusesWrites(Futures.cause(error)))) {
                        result.completeExceptionally(Futures.cause(error));
                    } else if (nanos >= timeoutNanos) {
                        result.completeExceptionally(new SlowException(nanos));
                    } else {
                        result.complete(null);
                    }
                });
        return result;
    }

    private static boolean isRefusal(Throwable error) {
        return Futures.cause(error) instanceof RedisCommandExecutionException;
    }

    /** Whether the connection itself is of no use. */
    static boolean isLost(Throwable error) {
        return !(Futures.cause(error) instanceof SlowException);
    }

    /** Whether the server did not answer at all. */
    static boolean isSilent(Throwable error) {
        return Futures.cause(error) instanceof TimeoutException && isLost(error);
    }

    /** The server answered, but not in time. */
    private static final class SlowException extends Exception {
        private static final long serialVersionUID = 1;

        SlowException(long nanos) {
            super("a probe took " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms", null, false, false);
        }
    }
}
