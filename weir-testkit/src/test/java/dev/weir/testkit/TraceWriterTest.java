package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.RateLimiter;
import dev.weir.Reservation;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces of limiters, as {@code weir verify} reads them. */
class TraceWriterTest {
    private final ManualTimeSource time = new ManualTimeSource(1_000);
    private final StringWriter out = new StringWriter();

    private RateLimiter limiter(TraceWriter trace) {
        return RateLimiter.builder()
                .limit("2/1us resolution=1ns")
                .timeSource(time)
                .listener(trace)
                .build();
    }

    @Test
    void decisionsAndRefunds_areWrittenWithTheTimeOfTheGrant() {
        try (TraceWriter trace = new TraceWriter(out)) {
            RateLimiter limiter = limiter(trace);
            limiter.tryAcquire("a", 2);
            limiter.tryAcquire("a");
            time.advanceNanos(10);
            Reservation waiting = limiter.reserve("a", 2, Duration.ofSeconds(1));
            waiting.refund(1);
            waiting.cancel();
            limiter.tryAcquire("b, \"c\"");
        }
        assertThat(out).hasToString("""
                time_nanos,key,permits,allowed
                1000,a,2,1
                1000,a,1,0
                2000,a,2,1
                2000,a,1,-1
                2000,a,1,-1
                1010,"b, ""c""\",1,1
                """);
    }

    @Test
    void file_isReplaced(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("trace.csv"), "old");
        try (TraceWriter trace = TraceWriter.to(file)) {
            limiter(trace).tryAcquire("a");
        }
        assertThat(file).hasContent("time_nanos,key,permits,allowed\n1000,a,1,1");
    }

    @Test
    void unpairedSurrogate_isReplaced_andLaterLinesAreWritten(@TempDir Path directory) {
        Path file = directory.resolve("trace.csv");
        try (TraceWriter trace = TraceWriter.to(file)) {
            RateLimiter limiter = limiter(trace);
            limiter.tryAcquire("a\ud800");
            limiter.tryAcquire("\ud83d\ude00");
        }
        assertThat(file)
                .content(StandardCharsets.UTF_8)
                .isEqualTo("time_nanos,key,permits,allowed\n1000,a\ue000,1,1\n1000,\ud83d\ude00,1,1\n");
    }

    @Test
    void writerThatFails_disturbsNoDecision() {
        Writer full = new Writer() {
            private int written;

            @Override
            public void write(char[] chars, int offset, int length) throws IOException {
                written += length;
                if (written > 40) {
                    throw new IOException("disk full");
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        TraceWriter trace = new TraceWriter(full);
        RateLimiter limiter = limiter(trace);
        for (int i = 0; i < 2_000; i++) {
            assertThat(limiter.tryAcquire("key " + i).allowed()).isTrue();
        }
        assertThat(catchThrowable(trace::close)).isInstanceOf(UncheckedIOException.class);
    }
}
