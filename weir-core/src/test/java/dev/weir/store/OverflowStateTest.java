package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Keys that share an overflow state, and keys that have a state only because they are blocked. */
class OverflowStateTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store =
            MemoryStore.builder().timeSource(time).maxKeys(1).build();
    private final RateLimiter limiter =
            RateLimiter.builder().name("test").limit("6/1h").store(store).build();

    /** Requests a key until the store is full, and returns two other keys that share an overflow state. */
    private String[] twoSharingKeys() {
        limiter.tryAcquire("own");
        limiter.tryAcquire("first", 6);
        for (int i = 0; ; i++) {
            if (limiter.peek("k" + i).remaining() == 0) {
                time.advance(Duration.ofHours(2));
                limiter.tryAcquire("own");
                return new String[] {"first", "k" + i};
            }
        }
    }

    /** Returns two keys of an overflow state that counts two permits; the second key is blocked for 10 s. */
    private String[] sharingKeysAndABlock() {
        String[] keys = twoSharingKeys();
        limiter.tryAcquire(keys[0], 2);
        limiter.block(keys[1], Duration.ofSeconds(10));
        return keys;
    }

    @Test
    void block_keyWithoutState_isCountedUntilItIsRemoved() {
        limiter.block("a", Duration.ofSeconds(10));
        assertThat(store.statistics().keys()).hasValue(1);

        time.advance(Duration.ofSeconds(11));
        assertThat(limiter.tryAcquire("a").degraded()).isFalse();
        time.advance(Duration.ofHours(2));
        limiter.tryAcquire("b");
        assertThat(limiter.tryAcquire("b").degraded()).isFalse();
        assertThat(store.statistics().keys()).hasValue(1);
    }

    @Test
    void block_whileItsOverflowStateCounts_endsWithTheKeyInTheOverflowState() {
        String[] keys = sharingKeysAndABlock();
        assertThat(store.statistics().keys()).hasValue(2);
        assertThat(limiter.tryAcquire(keys[1]).blocked()).isTrue();

        time.advance(Duration.ofSeconds(11));
        Decision decision = limiter.tryAcquire(keys[1]);

        assertThat(decision.degraded()).isTrue();
        assertThat(decision.remaining()).isEqualTo(6 - 2 - 1);
        assertThat(store.statistics().keys()).hasValue(1);
    }

    @Test
    void reset_keyBlockedWhileItsOverflowStateCounts_liftsTheBlock() {
        String[] keys = sharingKeysAndABlock();

        limiter.reset(keys[1]);

        assertThat(limiter.peek(keys[1]).blocked()).isFalse();
        assertThat(limiter.peek(keys[1]).remaining()).as("which others share").isEqualTo(6 - 2);
    }

    @Test
    void reserve_keyBlockedWhileItsOverflowStateCounts_isDeniedUntilTheBlockEnds() {
        String[] keys = sharingKeysAndABlock();

        Decision decision = limiter.reserve(keys[1], 1, Duration.ofMinutes(1)).decision();

        assertThat(decision.allowed()).isFalse();
        assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void limitThatCannotShareAState_isDeniedUntilTheOtherIsIdle() {
        limiter.tryAcquire("own");
        limiter.changeLimits(Limits.parse("fixed-window 5/10s"));
        assertThat(limiter.tryAcquire("b").degraded()).isTrue();
        limiter.changeLimits(Limits.parse("fixed-window 5/20s"));

        Decision alone = limiter.tryAcquire("b");
        Decision together = RateLimiter.tryAcquireAll(limiter.request("b", 1), limiter.request("own", 1));

        assertThat(alone.allowed()).isFalse();
        assertThat(alone.limit()).isEqualTo(Limit.parse("fixed-window 5/20s"));
        assertThat(limiter.peek("b")).isEqualTo(alone);
        assertThat(together.allowed()).isFalse();
        assertThat(together.statuses()).hasSize(2);
        time.advance(Duration.ofSeconds(20));
        assertThat(limiter.tryAcquire("b").allowed()).isTrue();
    }

    @Test
    void reserveAll_keysOfOneOverflowState_areRefundedTogether() {
        String[] keys = twoSharingKeys();

        Reservation reservation =
                RateLimiter.reserveAll(Duration.ZERO, limiter.request(keys[0], 2), limiter.request(keys[1], 3));
        assertThat(reservation.decision().degraded()).isTrue();
        assertThat(limiter.peek(keys[0]).remaining()).isEqualTo(1);

        reservation.refund(1);
        assertThat(limiter.peek(keys[0]).remaining()).isEqualTo(3);
        reservation.cancel();
        assertThat(limiter.peek(keys[1]).remaining()).isEqualTo(6);
    }

    @Test
    void tryAcquireAll_oneKeyInAnOverflowState_isDegraded() {
        String key = twoSharingKeys()[0];

        assertThat(RateLimiter.tryAcquireAll(limiter.request("own", 1), limiter.request(key, 1))
                        .degraded())
                .isTrue();
        assertThat(RateLimiter.tryAcquireAll(limiter.request(key, 1), limiter.request("own", 1))
                        .degraded())
                .isTrue();
    }

    @Test
    void tryAcquire_moreLimitsThanAnOverflowStateHolds_isDeniedAndNoneIsLost() {
        limiter.tryAcquire("own");
        int served = 0;
        for (int i = 0; i < 100; i++) {
            limiter.changeLimits(Limits.parse("1/1d name=n" + i));
            served += limiter.tryAcquire("b").allowed() ? 1 : 0;
        }
        assertThat(served).isBetween(64, 65);

        for (int i = 0; i < 100; i++) {
            limiter.changeLimits(Limits.parse("1/1d name=n" + i));
            assertThat(limiter.tryAcquire("b").allowed()).as("limit n%d", i).isFalse();
        }
    }

    @Test
    void close_allKeys_areRemoved() {
        limiter.tryAcquire("own", 6);
        store.close();

        assertThat(store.statistics().keys()).hasValue(0);
        assertThat(limiter.peek("own").remaining()).isEqualTo(6);
    }
}
