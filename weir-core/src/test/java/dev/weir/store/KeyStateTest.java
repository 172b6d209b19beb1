package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.Limits;
import dev.weir.Status;
import dev.weir.testing.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state of one key: when it is retired, and what is kept of limits and blocks. */
class KeyStateTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = 1_000 * SECOND;

    private final CompiledLimits.Cache compiled = new CompiledLimits.Cache();
    private final KeyState key = new KeyState("limiter", "key", START);

    private void request(String limit, long now) {
        Limits limits = Limits.parse(limit);
        LimitMigration.prepare(key, compiled.of(limits), now);
        assertThat(Decider.decideAtOnce(key, limits, 1, now).allowed()).isTrue();
    }

    @Test
    void retireIfIdle_requestExpected_isRefusedForASecond() {
        assertThat(key.retireIfIdle(START + SECOND - 1)).isFalse();
        assertThat(key.retireIfIdle(START + SECOND)).isTrue();
    }

    @Test
    void enter_retired_isRefused() {
        assertThat(key.enter()).isTrue();
        assertThat(key.retireIfIdle(START + SECOND)).isTrue();
        key.unlock();

        assertThat(key.enter()).isFalse();
        assertThat(key.enter(START + 2 * SECOND)).isFalse();
        assertThat(key.tryEnter()).isFalse();
        key.change(state -> fail("a retired state changes no more"));
        assertThat(key.last()).isEqualTo(START + SECOND);
    }

    @Test
    void tryEnter_lockHeld_isRefused() {
        assertThat(key.tryEnter()).isTrue();
        assertThat(key.tryEnter()).isFalse();
        key.unlock();
        assertThat(key.tryEnter()).isTrue();
    }

    /** An interrupted thread would not park: as a virtual thread, it would keep its processor from the owner of the lock. */
    @Test
    void enter_interruptedWhileLockHeld_parksAndStaysInterrupted() throws Exception {
        CompletableFuture<Boolean> after = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
            Thread.currentThread().interrupt();
            boolean entered = key.enter();
            after.complete(entered && Thread.interrupted());
        });
        assertThat(key.enter()).isTrue();
        waiter.start();

        Await.until(() -> waiter.getState() == Thread.State.TIMED_WAITING && !waiter.isInterrupted());
        key.unlock();

        assertThat(after.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void prepare_blockEnded_isTheStateOfOneLimitAgain() {
        Limits limits = Limits.parse("9/1h");
        request("9/1h", START);
        key.block(START, SECOND);

        LimitMigration.prepare(key, compiled.of(limits), START + SECOND - 1);
        assertThat(key.blockedFor(START + SECOND - 1)).isEqualTo(1);
        assertThat(key.onlyAlgorithm(limits)).isNull();

        LimitMigration.prepare(key, compiled.of(limits), START + SECOND);
        assertThat(key.onlyAlgorithm(limits)).isNotNull();
    }

    @Test
    void prepare_otherLimitIdle_isTheStateOfOneLimitAgain() {
        Limits first = Limits.parse("9/1h name=a");
        request("9/1h name=a", START);
        request("9/1s name=b", START);
        request("9/1h name=a", START);
        assertThat(key.onlyAlgorithm(first)).isNull();
        assertThat(key.dormant()).hasSize(1);

        request("9/1h name=a", START + SECOND);

        assertThat(key.onlyAlgorithm(first)).isNotNull();
        assertThat(key.dormant()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9/1h name=b", "gcra 9/1h burst=9", "fixed-window 9/1h"})
    void prepare_formerLimitIdle_isTheStateOfOneLimitAgain(String text) {
        request("9/1s name=a", START);
        request(text, START);
        assertThat(key.dormant()).hasSize(1);

        request(text, START + SECOND);

        assertThat(key.onlyAlgorithm(Limits.parse(text))).isNotNull();
        assertThat(key.state(0)).isSameAs(key);
    }

    @Test
    void prepare_formerOfTwoLimitsIdle_isNotKept() {
        Limits two = Limits.parse("9/1h name=b", "9/1h name=c");
        request("9/1s name=a", START);
        LimitMigration.prepare(key, compiled.of(two), START);
        assertThat(key.dormant()).hasSize(1);

        LimitMigration.prepare(key, compiled.of(two), START + SECOND);

        assertThat(key.dormant()).isEmpty();
        assertThat(key.size()).isEqualTo(2);
    }

    @Test
    void prepare_limitsInAnotherOrder_keepTheirStates() {
        Limits two = Limits.parse("1/1h name=a", "3/1h name=b");
        LimitMigration.prepare(key, compiled.of(two), START);
        Decider.decideAtOnce(key, two, 1, START);
        Limits swapped = Limits.parse("3/1h name=b", "1/1h name=a");

        LimitMigration.prepare(key, compiled.of(swapped), START);

        assertThat(Decider.peek(key, 1, START).statuses())
                .extracting(Status::remaining)
                .containsExactly(2L, 0L);
    }

    @Test
    void prepare_severalLimits_areKept() {
        Limits two = Limits.parse("9/1s name=a", "9/1h name=b");
        LimitMigration.prepare(key, compiled.of(two), START);
        LimitMigration.prepare(key, compiled.of(two), START + SECOND);

        assertThat(key.state(0)).isNotSameAs(key.state(1));
    }

    @Test
    void prepare_otherLimitInUse_isKeptWhenItReturns() {
        request("1/1h name=a", START);
        request("9/1s name=b", START);
        request("9/1s name=b", START + SECOND);
        for (int i = 0; i < 70; i++) { // more than the store keeps of those in use
            request("9/1s name=n" + i, START + (2 + i) * SECOND);
        }
        long now = START + 100 * SECOND;
        assertThat(key.isIdle(now)).isFalse();

        Limits first = Limits.parse("1/1h name=a");
        LimitMigration.prepare(key, compiled.of(first), now);

        assertThat(Decider.decideAtOnce(key, first, 1, now).allowed()).isFalse();
        assertThat(key.isIdle(START + 3_600 * SECOND)).isTrue();
    }

    @Test
    void prepare_otherLimitInUse_isKeptBesideTheFirst() {
        request("9/1h name=a", START);
        request("1/1h name=b", START);
        request("9/1h name=a", START);
        request("9/1h name=a", START);
        assertThat(key.dormant()).hasSize(1);

        Limits second = Limits.parse("1/1h name=b");
        LimitMigration.prepare(key, compiled.of(second), START);

        assertThat(Decider.decideAtOnce(key, second, 1, START).allowed()).isFalse();
    }

    @Test
    void isIdle_onlyADormantLimitInUse_isFalse() {
        request("1/1m name=a", START);
        request("9/1s name=b", START);

        assertThat(key.isIdle(START + 60 * SECOND - 1)).isFalse();
        assertThat(key.isIdle(START + 60 * SECOND)).isTrue();
    }

    @Test
    void isIdle_blocked_isFalse() {
        request("1/1s", START);
        key.block(START, 60 * SECOND);

        assertThat(key.isIdle(START + 60 * SECOND - 1)).isFalse();
        assertThat(key.isIdle(START + 60 * SECOND)).isTrue();
    }

    @Test
    void reset_laterReading_isTheTimeOfTheKey() {
        request("1/1h", START);

        key.reset(START + SECOND);

        assertThat(key.last()).isEqualTo(START + SECOND);
        assertThat(key.size()).isZero();
        request("1/1h", START + SECOND);
    }

    @Test
    void enter_openOffer_recordsWhatItGranted() {
        Limits limits = Limits.parse("3/1s");
        request("3/1s", START + 1);
        request("3/1s", START + 1);
        Offer offer = key.offer();
        assertThat(offer).isNotNull();
        assertThat(offer.decide(limits, 1, START + 7).allowed()).isTrue();

        assertThat(key.enter()).isTrue();

        assertThat(key.offer()).isSameAs(Offer.NONE);
        assertThat(key.last()).isEqualTo(START + 7);
        assertThat(Decider.peek(key, 1, START + 7).remaining()).isZero();
    }
}
