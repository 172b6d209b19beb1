package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.format.LogFormat;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogOptions.Order;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final List<String> ALL = List.of(
            "sliding-log 5/10s",
            "sliding-log 5/10s count=attempts",
            "sliding-window 5/10s",
            "fixed-window 5/10s",
            "token-bucket 5/10s",
            "leaky-bucket 5/10s",
            "gcra 5/10s");

    @Test
    void record_sourceS0_admitsThreeOfFour() throws IOException {
        ReplayResult result = run("time,id\n0.1,a\n0.4,a\n0.5,a\n1.1,a\n", "2/1s");

        assertThat(result)
                .isEqualTo(new ReplayResult(Limit.parse("2/1s"), 3, 1, 1, 2, List.of(new DeniedKey("a", 1)), null));
    }

    @Test
    void record_weights_countRequestsButWeighTheWindow() throws IOException {
        ReplayResult result = run("time,id,permits\n1,a,3\n2,a,3\n3,a,2\n4,b,6\n", "5/10s");

        assertThat(result.allowed()).isEqualTo(2);
        assertThat(result.denied()).isEqualTo(2);
        assertThat(result.worstWindow()).isEqualTo(5);
    }

    @Test
    void record_leakyBucket_isAQueueWithoutMaxWait() throws IOException {
        String log = "time,id\n" + "1,a\n".repeat(5) + "1,b\n";

        assertThat(run(log, "leaky-bucket 1/1s capacity=3"))
                .isEqualTo(new ReplayResult(
                        Limit.parse("leaky-bucket 1/1s capacity=3"),
                        4,
                        2,
                        1,
                        1,
                        List.of(new DeniedKey("a", 2)),
                        new Delays(2, 2000)));
    }

    @Test
    void record_waitOfAFractionOfAMillisecond_isRoundedUp() throws IOException {
        assertThat(run("time,id\n1,a\n1,a\n", "leaky-bucket 3/1s").delays()).isEqualTo(new Delays(1, 334));
    }

    @Test
    void verdict_isTheRatioUnlessThatWouldBeOne() {
        assertThat(verdict(100)).isEqualTo("holds");
        assertThat(verdict(101)).isEqualTo("over");
        assertThat(verdict(104)).isEqualTo("over");
        assertThat(verdict(105)).isEqualTo("1.1×");
        assertThat(verdict(200)).isEqualTo("2.0×");
        assertThat(verdict(123_456)).isEqualTo("1,234.6×");
    }

    private static String verdict(long worst) {
        return new ReplayResult(Limit.parse("100/1m"), 0, 0, 0, worst, List.of(), null).verdict();
    }

    @Test
    void record_order_decides() throws IOException {
        String log = "time,id\n10,a\n5,a\n11,a\n";
        LogOptions asWritten = LogOptions.builder()
                .key("id")
                .format(LogFormat.CSV)
                .order(Order.FILE)
                .build();
        try (Trace byTime = Logs.read(log, Logs.BY_ID);
                Trace byFile = Logs.read(log, asWritten)) {
            assertThat(run(byTime, "1/2s").allowed()).isEqualTo(2);
            assertThat(run(byFile, "1/2s").allowed()).isEqualTo(1);
        }
    }

    @Test
    void record_deniedKeys_areTenByDenialsThenByKey() throws IOException {
        StringBuilder log = new StringBuilder("time,id\n");
        for (int key = 20; key > 0; key--) {
            log.append("1,k").append(key).append('\n').append(("1,k" + key + "\n").repeat(1 + key % 3));
        }

        assertThat(run(log.toString(), "1/1s").topDenied())
                .containsExactly(
                        new DeniedKey("k11", 3),
                        new DeniedKey("k14", 3),
                        new DeniedKey("k17", 3),
                        new DeniedKey("k2", 3),
                        new DeniedKey("k20", 3),
                        new DeniedKey("k5", 3),
                        new DeniedKey("k8", 3),
                        new DeniedKey("k1", 2),
                        new DeniedKey("k10", 2),
                        new DeniedKey("k13", 2));
    }

    @Test
    void record_severalLimits_areCountedSeparately() throws IOException {
        List<Long> progress = new ArrayList<>();
        try (Trace trace = Logs.read("time,id\n" + "1,a\n".repeat(40_000), Logs.BY_ID)) {
            Recording recording = Replay.record(
                    trace, List.of(Limit.parse("1/1s"), Limit.parse("2/1s"), Limit.parse("1/1s")), progress::add);

            assertThat(recording.results()).extracting(ReplayResult::allowed).containsExactly(1L, 2L, 1L);
        }
        assertThat(progress).isSorted().endsWith(120_000L).hasSizeLessThan(20);
    }

    @Test
    void record_noLimits_isNothing() throws IOException {
        try (Trace trace = Logs.read(Logs.LINE, LogOptions.DEFAULT)) {
            assertThat(Replay.record(trace, List.of(), done -> {}).results()).isEmpty();
        }
    }

    @Test
    void record_randomTrace_agreesWithTenLineOracles() throws IOException {
        Random random = new Random(9);
        StringBuilder log = new StringBuilder("time,id,permits\n");
        for (int i = 0; i < 20_000; i++) {
            log.append(1_431_857_103 + random.nextInt(4000))
                    .append(",k")
                    .append(random.nextInt(12))
                    .append(',')
                    .append(1 + random.nextInt(3))
                    .append('\n');
        }
        try (Trace trace = Logs.read(log.toString(), Logs.BY_ID)) {
            assertThat(run(trace, "9/7s").allowed()).isEqualTo(slidingLog(Logs.events(trace), 9, 7));
            assertThat(run(trace, "fixed-window 9/7s").allowed()).isEqualTo(fixedWindow(Logs.events(trace), 9, 7));
        }
    }

    @Test
    void record_timesAtBothEnds_keepTheBound() throws IOException {
        String log = "time,id\n" + "1970-01-01T00:00:00Z,a\n".repeat(8) + "2261-12-31T23:59:59Z,a\n".repeat(8);
        for (String limit : ALL) {
            for (String window : new String[] {"/10s", "/1000d", "/10000d"}) {
                ReplayResult result = run(log, limit.replace("/10s", window));

                assertThat(result.worstWindow()).as(limit).isBetween(1L, 5L);
                assertThat(result.allowed()).as(limit).isEqualTo(limit.startsWith("gcra") ? 2 : 10);
            }
        }
    }

    private static long slidingLog(List<Logs.Event> events, long permits, long windowSeconds) {
        Map<String, List<Logs.Event>> admitted = new HashMap<>();
        long allowed = 0;
        for (Logs.Event event : events) {
            List<Logs.Event> own = admitted.computeIfAbsent(event.key(), key -> new ArrayList<>());
            own.removeIf(old -> old.timeNanos() + windowSeconds * 1_000_000_000 <= event.timeNanos());
            if (own.stream().mapToLong(Logs.Event::permits).sum() + event.permits() <= permits) {
                own.add(event);
                allowed++;
            }
        }
        return allowed;
    }

    private static long fixedWindow(List<Logs.Event> events, long permits, long windowSeconds) {
        Map<String, Long> used = new HashMap<>();
        long allowed = 0;
        for (Logs.Event event : events) {
            String window = event.key() + "@" + event.timeNanos() / (windowSeconds * 1_000_000_000);
            if (used.getOrDefault(window, 0L) + event.permits() <= permits) {
                used.merge(window, event.permits(), Long::sum);
                allowed++;
            }
        }
        return allowed;
    }

    private static ReplayResult run(String log, String limit) throws IOException {
        try (Trace trace = Logs.read(log, Logs.BY_ID)) {
            return run(trace, limit);
        }
    }

    private static ReplayResult run(Trace trace, String limit) throws IOException {
        return Replay.record(trace, List.of(Limit.parse(limit)), done -> {})
                .results()
                .get(0);
    }
}
