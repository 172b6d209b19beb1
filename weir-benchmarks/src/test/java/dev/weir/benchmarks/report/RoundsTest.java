package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {
    private final Rounds<String> rounds = new Rounds<>();

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
    void run_afterWarmUp_countsEachInTurnInBothOrders() {
        List<String> turns = new ArrayList<>();

        Rounds.run(1, 2, List.of("a", "b"), (contestant, counts) -> turns.add(contestant + " " + counts));

        assertThat(turns).containsExactly("b false", "a false", "a true", "b true", "b true", "a true");
    }
}
