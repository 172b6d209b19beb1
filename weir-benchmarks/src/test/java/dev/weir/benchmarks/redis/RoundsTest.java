package dev.weir.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final Rounds rounds = new Rounds("a figure");

    private void add(double weir, double set) {
        rounds.add(RedisContestant.WEIR, weir);
        rounds.add(RedisContestant.SET, set);
    }

    @Test
    void ratio_machineThatDrifts_isThatOfFiguresSideBySide() {
        add(2, 1);
        add(20, 10);
        add(300, 100);

        assertThat(rounds.ratio(RedisContestant.SET).median()).isEqualTo(2);
        assertThat(rounds.ratio(RedisContestant.SET).most()).isEqualTo(3);
        assertThat(rounds.of(RedisContestant.WEIR).median()).isEqualTo(20);
    }

    @Test
    void ratio_roundMissing_isRefused() {
        add(2, 1);
        rounds.add(RedisContestant.SET, 1);

        assertThat(rounds.has(RedisContestant.ZSET)).isFalse();
        assertThatThrownBy(() -> rounds.ratio(RedisContestant.SET)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> rounds.ratio(RedisContestant.ZSET)).isInstanceOf(IllegalStateException.class);
    }
}
