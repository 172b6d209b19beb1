package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.replay.LiveReplay.Counted;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogReader;
import dev.weir.replay.generate.LogGenerator;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class LiveReplayTest {
    private static final List<Limit> LIMITS = Stream.of(
                    "5/10s", "fixed-window 5/10s", "token-bucket 5/10s", "leaky-bucket 5/10s", "gcra 5/10s")
            .map(Limit::parse)
            .toList();

    @Test
    void request_anyTrace_countsAsReplayDoes() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        new LogGenerator(3_000, 7, 40).writeTo(log, done -> {});
        try (Trace trace =
                        LogReader.read(new ByteArrayInputStream(log.toByteArray()), LogOptions.DEFAULT, bytes -> {});
                LiveReplay live = new LiveReplay(LIMITS, 1_000)) {
            trace.forEach((time, key, permits) -> live.request(time, trace.key(key), permits));

            List<Counted> expected = Replay.record(trace, LIMITS, done -> {}).results().stream()
                    .map(result -> new Counted(result.limit(), result.allowed(), result.denied(), result.topDenied()))
                    .toList();
            assertThat(live.snapshot().limits()).isEqualTo(expected);
            assertThat(live.snapshot().requests()).isEqualTo(3_000);
        }
    }

    @Test
    void request_datedBack_isDecidedAtTheLatestTime() {
        try (LiveReplay live = new LiveReplay(List.of(Limit.parse("1/10s")), 10)) {
            live.request(30_000_000_000L, "a", 1);
            live.request(1_000_000_000L, "a", 1);

            assertThat(live.snapshot().limits().get(0).denied()).isEqualTo(1);
            assertThat(live.snapshot().late()).isEqualTo(1);
        }
    }

    @Test
    void request_severalPermits_countsThemAll() {
        try (LiveReplay live = new LiveReplay(List.of(Limit.parse("5/10s")), 10)) {
            live.request(1_000_000_000L, "a", 3);
            live.request(1_000_000_000L, "a", 3);

            assertThat(live.snapshot().limits().get(0).denied()).isEqualTo(1);
        }
    }

    @Test
    void frequentKeys_fewKeys_isExact() {
        FrequentKeys top = new FrequentKeys(50);
        SplittableRandom random = new SplittableRandom(3);
        Map<String, Long> exact = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            String key = "key-" + random.nextInt(1 + random.nextInt(50));
            top.add(key);
            exact.merge(key, 1L, Long::sum);
        }

        assertThat(top.top(50))
                .isEqualTo(exact.entrySet().stream()
                        .map(entry -> new DeniedKey(entry.getKey(), entry.getValue()))
                        .sorted(FrequentKeys.MOST_DENIED)
                        .toList());
    }

    @Test
    void frequentKeys_evictedKey_leavesItsCountToTheNewOne() {
        FrequentKeys top = new FrequentKeys(1);
        top.add("first");
        top.add("first");
        top.add("second");

        assertThat(top.top(10)).containsExactly(new DeniedKey("second", 3));
    }

    /** Of a flood of other keys: at most the capacity, counts never too low, and the frequent ones are there. */
    @Test
    void frequentKeys_manyKeys_keepsTheFrequentOnes() {
        FrequentKeys top = new FrequentKeys(100);
        List<String> frequent = List.of("often", "sometimes");
        int oftenCount = 0;
        List<DeniedKey> found = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            top.add("flood-" + i);
            if (i % 10 == 0) {
                top.add("often");
                oftenCount++;
            }
            if (i % 30 == 0) {
                top.add("sometimes");
            }
        }
        found.addAll(top.top(1_000));

        assertThat(found).hasSize(100);
        assertThat(found.subList(0, 2)).extracting(DeniedKey::key).isEqualTo(frequent);
        assertThat(found.get(0).denied()).isBetween((long) oftenCount, oftenCount + 700L);
    }
}
