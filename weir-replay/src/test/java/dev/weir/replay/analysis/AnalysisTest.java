package dev.weir.replay.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.replay.Recording;
import dev.weir.replay.Replay;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Every figure against a second way to find it: the limiters, or a count of the events. */
final class AnalysisTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void curve_everyPoint_isWhatTheLimiterDoes() throws IOException {
        for (String window : new String[] {"5s", "700ms", "7ms"}) {
            try (Trace trace = Logs.read(random(window.length(), 6_000), Logs.BY_ID)) {
                Curve curve = analysis(trace, "4/" + window).curve();

                assertThat(curve.points()).hasSizeGreaterThan(3);
                for (Curve.Point point : curve.points()) {
                    Recording played = Replay.record(trace, List.of(point.log()), done -> {});
                    ReplayResult result = played.results().get(0);
                    assertThat(point.deniedRequests()).as("%s", point.log()).isEqualTo(result.denied());
                    assertThat(point.deniedKeys()).isEqualTo(deniedKeys(trace, played));
                    assertThat(point.mostDenied())
                            .isEqualTo(result.topDenied().stream().limit(4).toList());
                }
            }
        }
    }

    @Test
    void curve_pointsAndSuggestions_areAscendingAndComplete() throws IOException {
        try (Trace trace = Logs.read(random(5, 6_000), Logs.BY_ID)) {
            Analysis analysis = analysis(trace, "4/5s");
            List<Long> permits =
                    analysis.curve().points().stream().map(Curve.Point::permits).toList();

            assertThat(permits).isSorted().doesNotHaveDuplicates().contains(4L);
            assertThat(permits)
                    .containsAll(analysis.curve().suggestions().stream()
                            .map(Curve.Point::permits)
                            .toList());
            Curve.Point last = analysis.curve().points().get(permits.size() - 1);
            assertThat(last.deniedRequests()).isZero();
            assertThat(last.permits()).isEqualTo(analysis.demand().most());
        }
    }

    @Test
    void timelinesAndClients_sums_areThoseOfTheResults() throws IOException {
        try (Trace trace = Logs.read(random(7, 6_000), Logs.BY_ID)) {
            Analysis analysis = analysis(trace, "4/5s", "fixed-window 4/5s", "gcra 4/5s");

            for (int i = 0; i < 3; i++) {
                Timeline timeline = analysis.timelines().get(i);
                ReplayResult result = analysis.results().get(i);
                int limit = i;
                assertThat(sum(timeline.buckets(), timeline::allowed)).isEqualTo(result.allowed());
                assertThat(sum(timeline.buckets(), timeline::denied)).isEqualTo(result.denied());
                assertThat(analysis.clients().stream()
                                .mapToLong(client -> client.denied(limit))
                                .sum())
                        .isEqualTo(result.denied()); // the log has fewer clients than are shown
            }
            assertThat(LongStream.of(analysis.denials().descending()).sum())
                    .isEqualTo(analysis.lead().denied());
            assertThat(analysis.clients())
                    .allSatisfy(client -> assertThat(sum(client.whole().buckets(), client.whole()::total))
                            .isEqualTo(client.requests()));
        }
    }

    @Test
    void demand_everyKey_isItsFullestWindow() throws IOException {
        try (Trace trace = Logs.read(random(3, 3_000), Logs.BY_ID)) {
            Demand demand = Demand.of(trace, Limit.parse("1/5s"));
            Map<String, Long> expected = new HashMap<>();
            List<Logs.Event> events = Logs.events(trace);
            for (Logs.Event end : events) {
                long sum = events.stream()
                        .filter(event -> event.key().equals(end.key())
                                && event.timeNanos() <= end.timeNanos()
                                && tick(event.timeNanos()) + 5 * SECOND > end.timeNanos())
                        .mapToLong(Logs.Event::permits)
                        .sum();
                expected.merge(end.key(), sum, Math::max);
            }

            for (int key = 0; key < trace.keys(); key++) {
                assertThat(demand.of(key)).isEqualTo(expected.get(trace.key(key)));
            }
        }
    }

    private static long tick(long nanos) {
        return (nanos + 999_999) / 1_000_000 * 1_000_000;
    }

    @Test
    void scenes_sameWindow_showTheLogWhereTheFixedWindowIsWorst() throws IOException {
        String log = "time,id\n" + "9,a\n".repeat(3) + "10,a\n".repeat(3) + "100,b\n".repeat(2);
        try (Trace trace = Logs.read(log, Logs.BY_ID)) {
            List<Scene> scenes = analysis(trace, "2/10s", "fixed-window 2/10s", "leaky-bucket 2/10s")
                    .scenes();

            assertThat(scenes).extracting(Scene::limitIndex).containsExactly(0, 1);
            assertThat(scenes).extracting(Scene::key).containsOnly("a");
            assertThat(scenes).extracting(Scene::permits).containsExactly(2L, 4L);
            assertThat(scenes.get(1).hasBoundary()).isTrue();
            assertThat(scenes.get(1).permitsBeforeBoundary()).isEqualTo(2);
            assertThat(sum(scenes.get(1).axis().buckets(), scenes.get(1)::denied))
                    .isEqualTo(2);
        }
    }

    @Test
    void scenes_randomTrace_showTheWorstWindow() throws IOException {
        try (Trace trace = Logs.read(random(11, 6_000), Logs.BY_ID)) {
            Analysis analysis = analysis(trace, "fixed-window 4/5s", "token-bucket 4/5s", "gcra 4/5s");

            assertThat(analysis.scenes()).hasSize(3);
            for (Scene scene : analysis.scenes()) {
                assertThat(scene.permits())
                        .isEqualTo(analysis.results().get(scene.limitIndex()).worstWindow());
                assertThat(sum(scene.axis().buckets(), scene::inside)).isLessThanOrEqualTo(scene.permits());
                assertWindowContainsItsRequests(scene);
            }
        }
    }

    @Test
    void scenes_requestsAtOneInstant_areInTheWindow() throws IOException {
        for (String time : List.of("1772445600", "1772445603", "1772445604.999")) {
            try (Trace trace = Logs.read("time,id\n" + (time + ",a\n").repeat(25), Logs.BY_ID)) {
                for (Scene scene :
                        analysis(trace, "60/1m", "fixed-window 60/1m").scenes()) {
                    assertThat(scene.permits()).isEqualTo(25);
                    assertWindowContainsItsRequests(scene);
                }
            }
        }
    }

    private static void assertWindowContainsItsRequests(Scene scene) {
        int cells = scene.axis().buckets();
        for (int cell = 0; cell < cells; cell++) {
            if (scene.inside(cell) > 0) {
                assertThat(scene.windowStart()).isLessThanOrEqualTo((double) cell / cells);
                assertThat(scene.windowEnd()).isGreaterThanOrEqualTo((double) (cell + 1) / cells);
            }
        }
    }

    @Test
    void scenes_requestsFarFromAShortWindow_areNotInIt() throws IOException {
        long worst = 1_431_857_103_000_000_000L;
        String log = "time,id\n" + (worst + ",a\n").repeat(3) + (worst + (1L << 31)) + ",a\n" + (worst + (1L << 32))
                + ",a\n";
        try (Trace trace = Logs.read(log, Logs.BY_ID)) {
            Scene scene = analysis(trace, "2/1ns").scenes().get(0);

            assertThat(sum(scene.axis().buckets(), scene::inside)).isEqualTo(2);
            assertThat(sum(scene.axis().buckets(), scene::outside)).isZero();
        }
    }

    @Test
    void of_nothingToReport_isRefused() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n", Logs.BY_ID)) {
            assertThatThrownBy(() -> analysis(trace, "unlimited"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a report needs a limit that denies something, such as 60/1m");
        }
    }

    @Test
    void of_unlimitedFirst_isAboutTheNextLimit() throws IOException {
        try (Trace trace = Logs.read("time,id\n1,a\n1,a\n", Logs.BY_ID)) {
            Analysis analysis = analysis(trace, "unlimited", "1/1s");

            assertThat(analysis.first()).isEqualTo(1);
            assertThat(analysis.clients()).hasSize(1);
        }
    }

    @Test
    void of_progress_endsAtAHundred() throws IOException {
        List<Long> progress = new ArrayList<>();
        try (Trace trace = Logs.read(random(2, 500), Logs.BY_ID)) {
            Analysis.of(trace, Replay.record(trace, List.of(Limit.parse("4/5s")), done -> {}), progress::add);
        }

        assertThat(progress).isSorted().hasSizeGreaterThan(3).endsWith(100L);
    }

    /** Requests of a few keys with weights, at times in bursts and with all fractions of a second. */
    private static String random(int seed, int requests) {
        Random random = new Random(seed);
        StringBuilder log = new StringBuilder("time,id,permits\n");
        long nanos = 1_431_857_103 * SECOND;
        for (int i = 0; i < requests; i++) {
            nanos += random.nextInt(20) == 0 ? random.nextLong(4 * SECOND) : random.nextLong(SECOND / 50);
            String time = nanos / SECOND + "." + String.format(Locale.ROOT, "%09d", nanos % SECOND);
            log.append(time).append(",k").append(random.nextInt(1 + random.nextInt(9)));
            log.append(',').append(1 + random.nextInt(3)).append('\n');
        }
        return log.toString();
    }

    private static Analysis analysis(Trace trace, String... limits) throws IOException {
        List<Limit> tried = List.of(limits).stream().map(Limit::parse).toList();
        return Analysis.of(trace, Replay.record(trace, tried, done -> {}), done -> {});
    }

    private static long deniedKeys(Trace trace, Recording recording) throws IOException {
        boolean[] denied = new boolean[trace.keys()];
        long[] request = {0};
        trace.forEach((time, key, permits) -> denied[key] |= !recording.allowed(0, request[0]++));
        long count = 0;
        for (boolean one : denied) {
            count += one ? 1 : 0;
        }
        return count;
    }

    private static long sum(int buckets, IntToLongFunction value) {
        return IntStream.range(0, buckets).mapToLong(value).sum();
    }
}
