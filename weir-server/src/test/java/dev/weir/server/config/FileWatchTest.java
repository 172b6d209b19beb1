package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Files that are looked at again and again. */
final class FileWatchTest {

    @Test
    void look_error_isLoggedOnceAndLooksGoOn() {
        AtomicInteger looks = new AtomicInteger();
        Runnable failing = () -> {
            if (looks.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("first");
            }
        };
        try (LogLines log = new LogLines("dev.weir.server");
                FileWatch watch = new FileWatch()) {
            watch.start(failing);

            Await.until(() -> looks.get() > 2);

            assertThat(log.lines())
                    .containsExactly("SEVERE the files could not be looked at java.lang.OutOfMemoryError: first");
        }
    }
}
