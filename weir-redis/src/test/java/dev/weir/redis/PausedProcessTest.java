package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.JavaCommand;
import dev.weir.testing.RedisServer;
import dev.weir.testing.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process that is paused for longer than the timeout, again and again, as by the limit of a container's processor time. */
final class PausedProcessTest {
    private static final int PAUSES = 6;
    private static final Duration TIMEOUT = Duration.ofMillis(400); // in which a busy machine runs the server, too
    private static final int THREADS = 4;

    /** Without a clock that stands still, nearly every thread failed in every pause; a few failures are left to a busy machine. */
    @Test
    void paused_serverAnswers_requestsDoNotFail() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            List<String> command = JavaCommand.of(
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    getClass().getName(),
                    server.uri());
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader output = process.inputReader()) {
                assertThat(output.readLine()).isEqualTo("ready");
                for (int i = 0; i < PAUSES; i++) {
                    Signal.STOP.sendTo(process);
                    Thread.sleep(TIMEOUT.multipliedBy(2).toMillis()); // the pause itself
                    Signal.CONT.sendTo(process);
                    request(process);
                    assertThat(output.readLine()).isEqualTo("answered");
                }
                request(process);
                assertThat(output.readLine()).isEqualTo("answered");
                process.getOutputStream().close();
                assertThat(Integer.parseInt(output.readLine())).isLessThan(THREADS);
            } finally {
                process.destroyForcibly().onExit().join();
            }
        }
    }

    private static void request(Process process) throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** Runs in the process: decides all the time, awaits answers for each line of input, and prints the number of failures at its end. */
    public static void main(String... words) throws IOException {
        try (RedisStore store = RedisStore.builder(words[0]).timeout(TIMEOUT).connect();
                Hammer hammer = new Hammer(store, "1000000/1s", THREADS, "one", "two", "three")) {
            hammer.awaitAnswers(1_000);
            long before = hammer.failures();
            System.out.println("ready");
            while (System.in.read() >= 0) {
                hammer.awaitAnswers(100);
                System.out.println("answered");
            }
            System.out.println(hammer.failures() - before);
        }
    }
}
