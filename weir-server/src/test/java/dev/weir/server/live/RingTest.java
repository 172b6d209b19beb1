package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.server.config.Rule.Mode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is kept of each second, and what is handed over. */
final class RingTest {
    private final Ring ring = new Ring(Ring.SECONDS);

    @Test
    void counts_areKeptFor300Seconds() {
        ring.add(1_000, 7);
        ring.add(1_003, 5);

        assertThat(ring.get(1_000)).isEqualTo(7);
        assertThat(ring.get(1_001)).isZero();
        assertThat(ring.sums(1_004, 5)).hasSize(60).endsWith(12);
        assertThat(ring.sums(1_003, 1)).hasSize(300).endsWith(7, 0, 0, 5);
        ring.add(1_299, 1);
        assertThat(ring.get(1_000)).isEqualTo(7);
        ring.add(1_300, 1);
        assertThat(ring.get(1_000)).isZero();
        assertThat(ring.get(1_003)).isEqualTo(5);
    }

    @Test
    void counts_afterALongPause_areForgotten() {
        ring.add(1_000, 7);
        ring.add(5_000, 3);

        long[] sums = ring.sums(5_000, 1);
        assertThat(sums).endsWith(3);
        assertThat(Arrays.stream(sums).sum()).isEqualTo(3);
        assertThat(ring.isEmpty(5_299)).isFalse();
        assertThat(ring.isEmpty(5_300)).isTrue();
    }

    /** A client that uses up its limit again and again cannot fill the queue. */
    @Test
    void recorder_keyThatIsNearlyFull_isHandedOverOnceASecond() {
        LiveRecorder recorder = new LiveRecorder();
        RuleRows rule =
                recorder.rule(new RuleId("own", "own", Mode.LIVE, Limits.parse("10/1h", "20/1d"), false, false));
        KeyLists lists = new KeyLists();
        for (int i = 0; i < 20_000; i++) {
            recorder.allowed(rule.row(0), "a", 0);
            recorder.allowed(rule.row(1), "a", 0);
            recorder.allowed(rule.row(0), "has room", 5);
        }
        recorder.allowed(rule.row(0), "b", 0);

        recorder.events.drainTo(lists);
        assertThat(recorder.dropped()).isZero();
        assertThat(lists.fullest.top(20, System.nanoTime()))
                .extracting(full -> full.key().row().position + full.key().key())
                .containsExactly("0a", "1a", "0b");

        lists.fullest.put(new LimitedKey(rule.row(0), "a"), 10, System.nanoTime(), false);
        recorder.advance(1);
        recorder.allowed(rule.row(0), "a", 0);
        recorder.events.drainTo(lists);
        assertThat(lists.fullest.top(20, System.nanoTime())).hasSize(3);
    }

    @Test
    void recorder_denialsThatTheListsMiss_areCounted() {
        LiveRecorder recorder = new LiveRecorder();
        RuleRows rule = recorder.rule(new RuleId("own", "own", Mode.LIVE, Limits.parse("10/1h"), false, false));
        for (int i = 0; i < 20_000; i++) {
            recorder.denied(rule.row(0), "a", 0);
        }
        recorder.allowed(rule.row(0), "another event", 0);

        assertThat(rule.row(0).denied.sum()).isEqualTo(20_000);
        assertThat(recorder.dropped()).isEqualTo(20_000 - (1 << 14));
    }
}
