package dev.weir.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The processes of the example end with the one that started them. */
class FleetEndTest {
    @ParameterizedTest
    @ValueSource(strings = {"-KILL", "-TERM"})
    void parent_killed_leavesNoProcess(String signal) throws Exception {
        Process process = PaymentsProcess.launch("--seconds", "60");
        Await.until("Redis' shell and three workers", () -> descendants(process) >= 4);
        List<ProcessHandle> children = process.descendants().toList();

        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();

        assertThat(process.waitFor(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Await.until("no process is left", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static long descendants(Process process) {
        return process.descendants().count();
    }
}
