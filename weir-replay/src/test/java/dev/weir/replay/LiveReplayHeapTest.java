package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testing.JavaCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of keys alone bounds a live replay, also in a small heap. */
class LiveReplayHeapTest {
    private static final int KEYS = 10_000; // 10 MB of text

    @Test
    void request_longKeysInASmallHeap_areDeniedByTheLimitOnly(@TempDir Path directory) throws Exception {
        assertThat(JavaCommand.outputInHeap("64m", getClass(), directory)).isEqualTo("0 denied");
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
