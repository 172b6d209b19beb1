package dev.weir.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
    private record Event(long time, int key, long permits) {}

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 100, 1000, 1 << 20})
    void forEach_anyOrderAndRunSize_isAStableSort(int runSize) throws IOException {
        Random random = new Random(5);
        int size = runSize == 1 ? 300 : 5000;
        List<IntUnaryOperator> orders = List.of(
                i -> i,
                i -> -i,
                i -> 42,
                i -> i % 97,
                i -> i + random.nextInt(50),
                i -> random.nextInt(10),
                i -> random.nextInt(),
                i -> i < 4000 ? i : i - 4000);
        for (IntUnaryOperator order : orders) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                events.add(new Event(order.applyAsInt(i) * 1_000_000_000L, i, 1 + random.nextInt(2)));
            }

            assertSorted(events, runSize);
        }
    }

    @Test
    void forEach_extremeValues_surviveTheFile() throws IOException {
        List<Event> events = new ArrayList<>();
        for (long time :
                new long[] {Long.MAX_VALUE, Long.MIN_VALUE + 2, 0, -1, 1, Long.MAX_VALUE, Long.MIN_VALUE + 2}) {
            events.add(new Event(time, Integer.MAX_VALUE, Long.MAX_VALUE));
            events.add(new Event(time, 0, 1));
            events.add(new Event(time, 1, 2));
        }
        assertSorted(events, 3);
        assertSorted(events, 100);
    }

    @Test
    void forEach_manyRunsLongerThanTheirBuffers_areMerged() throws IOException {
        Random random = new Random(6);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            events.add(new Event(random.nextLong() >> 8, i, random.nextLong() >>> 1 | 1));
        }
        assertSorted(events, 30_000);
    }

    @Test
    void forEach_again_isTheSame() throws IOException {
        List<Event> events =
                IntStream.range(0, 9).mapToObj(i -> new Event(-i, i, 1)).toList();
        try (Trace trace = trace(events, 2)) {
            assertThat(read(trace)).isEqualTo(read(trace)).hasSize(9);
        }
    }

    @Test
    void forEach_closed_isRefused() throws IOException {
        Trace trace = trace(List.of(new Event(1, 1, 1)), 2);
        trace.close();
        trace.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> trace.forEach((time, key, permits) -> {}))
                .withMessage("the trace is closed");
    }

    private void assertSorted(List<Event> events, int runSize) throws IOException {
        List<Event> expected = new ArrayList<>(events);
        expected.sort(Comparator.comparingLong(Event::time)); // which is stable
        try (Trace trace = trace(events, runSize)) {
            assertThat(trace.requests()).isEqualTo(events.size());
            assertThat(read(trace)).isEqualTo(expected);
        }
    }

    private Trace trace(List<Event> events, int runSize) throws IOException {
        try (TraceBuilder builder = new TraceBuilder(runSize, directory)) {
            for (Event event : events) {
                builder.add(event.time(), event.key(), event.permits());
            }
            return builder.build(0, List.of(), null);
        }
    }

    private static List<Event> read(Trace trace) throws IOException {
        List<Event> events = new ArrayList<>();
        trace.forEach((time, key, permits) -> events.add(new Event(time, key, permits)));
        return events;
    }
}
