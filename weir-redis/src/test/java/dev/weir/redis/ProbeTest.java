package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.protocol.AsyncCommand;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of a probe. */
final class ProbeTest {
    private static final byte[] ABSENT = {1};

    private final AsyncCommand<byte[], byte[], Object> reply = SilentConnection.unanswered();
    private final List<String> sent = new ArrayList<>();

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<Void> write(long timeoutNanos) {
        Object commands = proxy(RedisAsyncCommands.class, (self, method, arguments) -> {
            sent.add(method.getName());
            return reply;
        });
        StatefulRedisConnection<byte[], byte[]> connection =
                proxy(StatefulRedisConnection.class, (self, method, arguments) -> commands);
        return new Probe(ABSENT, new Timer(), timeoutNanos).write(connection);
    }

    private static Throwable failure(CompletableFuture<Void> probe) {
        assertThat(probe).isCompletedExceptionally();
        return probe.handle((done, why) -> why).join();
    }

    @Test
    void write_answeredInTime_succeeds() {
        CompletableFuture<Void> probe = write(Await.TIMEOUT.toNanos());
        assertThat(probe).isNotDone();
        reply.complete(0L);

        assertThat(probe).isCompleted();
        assertThat(sent).containsExactly("unlink");
    }

    /** An error shows that the server answers. */
    @Test
    void write_notPermitted_succeeds() {
        CompletableFuture<Void> probe = write(Await.TIMEOUT.toNanos());
        reply.completeExceptionally(new RedisCommandExecutionException("NOPERM no permission to run 'unlink'"));

        assertThat(probe).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica.",
                "NOREPLICAS Not enough good replicas to write."
            })
    void write_serverTakesNoWrites_isLost(String refusal) {
        CompletableFuture<Void> probe = write(Await.TIMEOUT.toNanos());
        reply.completeExceptionally(new RedisCommandExecutionException(refusal));

        Throwable failure = failure(probe);
        assertThat(failure).hasMessage(refusal);
        assertThat(Probe.isLost(failure)).isTrue();
        assertThat(Probe.isSilent(failure)).isFalse();
    }

    @Test
    void write_connectionFails_isLost() {
        CompletableFuture<Void> probe = write(Await.TIMEOUT.toNanos());
        reply.completeExceptionally(new RedisException("closed"));

        Throwable failure = failure(probe);
        assertThat(Probe.isLost(failure)).isTrue();
        assertThat(Probe.isSilent(failure)).isFalse();
    }

    @Test
    void write_answeredLate_isNeitherLostNorSilent() {
        CompletableFuture<Void> probe = write(0);
        reply.complete(0L);

        Throwable failure = failure(probe);
        assertThat(failure).hasMessageMatching("a probe took \\d+ ms");
        assertThat(Probe.isLost(failure)).isFalse();
        assertThat(Probe.isSilent(failure)).isFalse();
    }

    @Test
    void noAnswer_isSilent() {
        assertThat(Probe.isSilent(new TimeoutException())).isTrue();
        assertThat(Probe.isLost(new TimeoutException())).isTrue();
    }
}
