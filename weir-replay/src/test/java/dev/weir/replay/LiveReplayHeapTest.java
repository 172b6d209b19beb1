package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testing.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of keys alone bounds a live replay, also in a small heap. */
class LiveReplayHeapTest {
    private static final int KEYS = 10_000; // 10 MB of text

    @Test
    void request_longKeysInASmallHeap_areDeniedByTheLimitOnly(@TempDir Path directory) throws Exception {
        List<String> command = JavaCommand.of(
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                getClass().getName());
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(Files.readString(output)).isEqualTo("0 denied");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Runs in the small heap: each key has one request. */
    public static void main(String... words) {
        try (LiveReplay live = new LiveReplay(List.of(Limit.parse("100/1m")), KEYS)) {
            String rest = "x".repeat(1_000);
            for (int i = 0; i < KEYS; i++) {
                live.request(1_000_000_000L, i + rest, 1);
            }
            System.out.print(live.snapshot().limits().get(0).denied() + " denied");
        }
    }
}
