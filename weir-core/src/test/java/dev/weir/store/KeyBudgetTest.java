package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The bounds of a store, up to the last key and the last byte. */
class KeyBudgetTest {
    private static final int TRIES = 500_000;

    @Test
    void tryAdd_upToTheLastKeyAndByte_addsWhatFits() {
        KeyBudget budget = new KeyBudget(2, 6);
        assertThat(budget.tryAdd("abcd")).isTrue();
        assertThat(budget.tryAdd("abc")).isFalse();
        assertThat(budget.tryAdd("\u0416\u0416")).isFalse(); // two bytes each
        assertThat(budget.tryAdd("\u0416")).isTrue();
        assertThat(budget.tryAdd("a")).isFalse();
        budget.remove("abcd");
        assertThat(budget.tryAdd("abcde")).isFalse();
        assertThat(budget.tryAdd("abcd")).isTrue();
        assertThat(budget.keys()).isEqualTo(2);
    }

    @Test
    void tryAdd_whileOthersDoNotFit_addsWhatFits() {
        KeyBudget budget = new KeyBudget(100, 10);
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < TRIES; i++) {
                assertThat(budget.tryAdd("much too long")).isFalse();
            }
        });
        while (!others.isDone()) {
            assertThat(budget.tryAdd("key")).isTrue();
            budget.remove("key");
        }
        others.join();
    }
}
