package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final Rounds<String> rounds = new Rounds<>(0);

    private Goal goal(String reference) {
        return rounds.goal("what", "/s", "ours", "against", reference, 1, 2);
    }

    private void add(double ours, double theirs) {
        rounds.add("ours", ours);
        rounds.add("theirs", theirs);
    }

    @Test
    void goal_machineThatDrifts_isRatioOfFiguresSideBySide() {
        add(2, 1);
        add(20, 10);
        add(300, 100);

        assertThat(goal("theirs").ratio()).isEqualTo(2);
        assertThat(goal("theirs").ours()).isEqualTo(new Spread(20, 2, 300));
        assertThat(goal("theirs").reference()).isEqualTo(new Spread(10, 1, 100));
    }

    @Test
    void goal_roundMissing_isRefused() {
        add(2, 1);
        rounds.add("theirs", 1);

        assertThat(rounds.has("others")).isFalse();
        assertThatThrownBy(() -> goal("theirs")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> goal("others")).hasMessage("not measured: others");
    }

    @Test
    void run_severalRounds_alternatesInBothOrders() {
        List<String> turns = new ArrayList<>();

        Rounds.run(1, 2, List.of("a", "b"), turns::add);

        assertThat(turns).containsExactly("b", "a", "a", "b", "b", "a");
    }

    @Test
    void of_afterWarmUp_discardsTheFirstFigures() {
        Rounds<String> warm = new Rounds<>(2);
        for (double figure : new double[] {90, 80, 1, 2, 3}) {
            warm.add("ours", figure);
        }

        assertThat(warm.of("ours")).isEqualTo(new Spread(2, 1, 3));
    }
}
