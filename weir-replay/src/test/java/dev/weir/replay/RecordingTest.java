package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.replay.Recording.Moment;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RecordingTest {
    private static final long SECOND = 1_000_000_000;
    private static final String LOG = "time,id\n1,a\n1,b\n2,a\n3,a\n9,b\n10,b\n11,b\n";

    @Test
    void allowed_eachRequest_isWhatTheLimitDecided() throws IOException {
        try (Trace trace = Logs.read(LOG, Logs.BY_ID)) {
            Recording recording = Replay.record(trace, limits("2/10s", "1/1s"), done -> {});

            assertThat(decisions(recording, 0, 7)).containsExactly(true, true, true, false, true, false, true);
            assertThat(decisions(recording, 1, 7)).containsOnly(true);
            assertThat(recording.results()).extracting(ReplayResult::denied).containsExactly(2L, 0L);
        }
    }

    @Test
    void allowed_unknownRequest_isRefused() throws IOException {
        try (Trace trace = Logs.read(LOG, Logs.BY_ID)) {
            Recording recording = Replay.record(trace, limits("2/10s"), done -> {});

            assertThatThrownBy(() -> recording.allowed(0, 7)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> recording.allowed(0, -1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> recording.allowed(1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void worst_severalKeys_isTheFirstOfTheFullestWindows() throws IOException {
        try (Trace trace = Logs.read(LOG, Logs.BY_ID)) {
            Recording recording = Replay.record(trace, limits("fixed-window 2/10s", "leaky-bucket 1/5s"), done -> {});

            assertThat(recording.worst(0)).isEqualTo(new Moment(1, 10 * SECOND));
            assertThat(recording.results().get(0).worstWindow()).isEqualTo(3);
            assertThat(recording.worst(1)).isEqualTo(new Moment(0, SECOND));
        }
    }

    @Test
    void worst_nothingGranted_isNull() throws IOException {
        try (Trace trace = Logs.read("time,id,permits\n1,a,5\n", Logs.BY_ID)) {
            Recording recording = Replay.record(trace, limits("2/10s"), done -> {});

            assertThat(recording.worst(0)).isNull();
            assertThat(recording.allowed(0, 0)).isFalse();
        }
    }

    private static List<Limit> limits(String... texts) {
        return List.of(texts).stream().map(Limit::parse).toList();
    }

    private static List<Boolean> decisions(Recording recording, int limit, int requests) {
        return IntStream.range(0, requests)
                .mapToObj(request -> recording.allowed(limit, request))
                .toList();
    }
}
