package dev.weir.replay.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventStoreTest {
    private record Event(long time, int key, long permits) {}

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
        try (EventStore store = new EventStore(2)) {
            for (int i = 0; i < 9; i++) {
                store.add(-i, i, 1);
            }
            store.complete();

            assertThat(read(store)).isEqualTo(read(store)).hasSize(9);
        }
    }

    @Test
    void forEach_closed_isRefused() throws IOException {
        EventStore store = new EventStore(2);
        store.add(1, 1, 1);
        store.complete();
        store.close();
        store.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> store.forEach((time, key, permits) -> {}))
                .withMessage("the trace is closed");
    }

    private static void assertSorted(List<Event> events, int runSize) throws IOException {
        List<Event> expected = new ArrayList<>(events);
        expected.sort(Comparator.comparingLong(Event::time)); // which is stable
        try (EventStore store = new EventStore(runSize)) {
            for (Event event : events) {
                store.add(event.time(), event.key(), event.permits());
            }
            store.complete();

            assertThat(store.size()).isEqualTo(events.size());
            assertThat(read(store)).isEqualTo(expected);
        }
    }

    private static List<Event> read(EventStore store) throws IOException {
        List<Event> events = new ArrayList<>();
        store.forEach((time, key, permits) -> events.add(new Event(time, key, permits)));
        return events;
    }
}
