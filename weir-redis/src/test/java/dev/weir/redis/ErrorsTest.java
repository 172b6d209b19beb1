package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Messages and classes of errors of the Redis client. */
final class ErrorsTest {

    @Test
    void refusal_unknownCommand_hasNoKeys() {
        RedisCommandExecutionException unknown = new RedisCommandExecutionException(
                "ERR unknown command 'EVALSHA', with args beginning with: 'abc' '2' 'weir:{test:alice}' ");
        assertThat(Errors.refusal(unknown)).isEqualTo("ERR unknown command 'EVALSHA'");
    }

    @Test
    void refusal_ofACommandInAScript_isThatOfTheCommand() {
        String readOnly = "READONLY You can't write against a read only replica.";
        String called = "ERR Error running script (call to f_c7eb): @user_script:251: @user_script: 251: -" + readOnly;
        for (String message : List.of(readOnly, readOnly + " script: c7eb, on @user_script:251.", called)) {
            RedisCommandExecutionException error = new RedisCommandExecutionException(message);
            assertThat(Errors.refusal(error)).isEqualTo(readOnly);
            assertThat(Errors.isNotPrimary(error)).isTrue();
        }
        String fault = "ERR Error running script (call to f_c7eb): @user_script:1: Script attempted to access a key";
        assertThat(Errors.refusal(new RedisCommandExecutionException(fault))).isEqualTo(fault);
    }

    /** An address of one node without redis-cluster: works for a third of the keys. */
    @Test
    void refusal_ofANodeOfACluster_saysWhichUriItNeeds() {
        assertThat(Errors.refusal(new RedisCommandExecutionException("MOVED 15495 127.0.0.1:7001")))
                .startsWith("MOVED 15495 127.0.0.1:7001: ")
                .contains("redis-cluster:");
    }

    @Test
    void refusesWrites_replica_loading_orTooFewReplicas() {
        for (String message : List.of("READONLY You", "LOADING Redis is", "MASTERDOWN Link")) {
            RedisCommandExecutionException error = new RedisCommandExecutionException(message);
            assertThat(Errors.isNotPrimary(error)).as(message).isTrue();
            assertThat(Errors.refusesWrites(error)).as(message).isTrue();
        }
        RedisCommandExecutionException fewReplicas = new RedisCommandExecutionException("NOREPLICAS Not enough");
        assertThat(Errors.refusesWrites(fewReplicas)).isTrue();
        assertThat(Errors.isNotPrimary(fewReplicas)).isFalse();
        for (Throwable error : new Throwable[] {
            new RedisCommandExecutionException("OOM command not allowed"), new IllegalStateException("NOREPLICAS"), null
        }) {
            assertThat(Errors.refusesWrites(error)).isFalse();
            assertThat(Errors.isNotPrimary(error)).isFalse();
        }
    }

    /** The error comes from Redis or from a script, in the formats of Redis 7 and 6. */
    @Test
    void isMoving_tryAgain_ofAScript_onlyIfItWroteNothing() {
        String needsHash = "@user_script:3: TRYAGAIN The slot moves, and the key needs its hash";
        for (String message : List.of(
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "ERR " + needsHash + " script: c7eb, on @user_script:3.",
                "ERR Error running script (call to f_c7eb): @user_script:3: " + needsHash)) {
            assertThat(Errors.isMoving(new RedisCommandExecutionException(message)))
                    .as(message)
                    .isTrue();
        }
        assertThat(Errors.isMoving(new RedisCommandExecutionException("ERR @user_script:3: TRYAGAIN Multiple keys")))
                .isFalse();
        assertThat(Errors.isMoving(new IllegalStateException("TRYAGAIN"))).isFalse();
        assertThat(Errors.isMoving(null)).isFalse();
    }

    @Test
    void reason_isThatOfTheInnermostCause_inOneLine() {
        Throwable failure = new CompletionException(
                new RedisConnectionException("Unable to connect", new IllegalStateException("ERR  wrong\ndatabase ")));
        assertThat(Errors.reason(failure)).isEqualTo("ERR wrong database");
    }

    /** The client's message has the addresses of all nodes, and the name of the user. */
    @Test
    void reason_ofSeveralNodes_isThatOfTheFirst() {
        IllegalStateException nodes =
                new IllegalStateException("redis://weir:*****@h1:7000, redis://weir:*****@h2:7000");
        nodes.addSuppressed(new CompletionException(
                new RedisCommandExecutionException("WRONGPASS invalid username-password pair")));
        nodes.addSuppressed(new ClosedChannelException());

        assertThat(Errors.reason(new CompletionException(nodes))).isEqualTo("WRONGPASS invalid username-password pair");
    }

    @Test
    void reason_noMessage_isDescribed() {
        assertThat(Errors.reason(new CompletionException(new ClosedChannelException())))
                .isEqualTo("the connection was closed");
        assertThat(Errors.reason(new RedisConnectionException("Unable", new UnknownHostException("redis.example"))))
                .isEqualTo("unknown host redis.example");
        assertThat(Errors.reason(new CompletionException(new TimeoutException())))
                .isEqualTo("no answer");
        assertThat(ScriptRunner.notSent(new CompletionException(null, new ArithmeticException()))
                        .getMessage())
                .isEqualTo("the request to Redis failed: ArithmeticException");
        assertThat(Errors.reason(new IllegalStateException("closed", new ArithmeticException())))
                .isEqualTo("closed");
    }
}
