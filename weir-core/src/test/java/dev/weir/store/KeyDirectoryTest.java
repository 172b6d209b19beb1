package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import org.junit.jupiter.api.Test;

/** Which state decides for a key while keys are removed and blocked. */
class KeyDirectoryTest {
    private static final long SECOND = 1_000_000_000;
    private static final Limits LIMITS = Limits.parse("5/1h");

    private KeyDirectory keys = new KeyDirectory(1, 3);

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    private KeyState find(String key, long now) {
        KeyState state = keys.stateFor(request(key), now, true);
        assertThat(state).isNotNull();
        return state;
    }

    @Test
    void enter_retiredState_isRefusedAndTheKeyGetsAnother() {
        keys = new KeyDirectory(9, 9);
        KeyState first = find("a", 0);
        assertThat(first.enter()).isTrue();
        assertThat(first.retireIfIdle(SECOND)).isTrue();
        first.unlock();

        assertThat(keys.enter(first)).isFalse();
        assertThat(keys.find("test", "a")).isNull();

        KeyState second = find("a", SECOND);
        assertThat(second).isNotSameAs(first);
        assertThat(keys.enter(second)).isTrue();
        assertThat(second.tryEnter()).as("locked").isFalse();
    }

    @Test
    void stateFor_fullStore_isNullUntilAnIdleKeyIsRemoved() {
        find("a", 0);
        assertThat(keys.stateFor(request("b"), 0, true)).isNull();
        assertThat(keys.stateFor(request("b"), 0, false)).isNull();
        assertThat(find("a", 0)).isNotNull();

        assertThat(keys.stateFor(request("b"), 2 * SECOND, false)).isNotNull();
        assertThat(keys.find("test", "a")).isNull();
        assertThat(keys.find("test", "b")).as("only shown").isNull();
        assertThat(find("b", 2 * SECOND)).isNotNull();
    }

    @Test
    void stateFor_longKey_removesIdleKeysForTheBytesThatItLacks() {
        keys = new KeyDirectory(100, 22);
        for (char key = 'a'; key < 'u'; key++) {
            find(String.valueOf(key), 0);
        }

        assertThat(find("fifteen letters", 2 * SECOND)).isNotNull();
    }

    @Test
    void stateToBlock_fullStore_isAdded() {
        find("a", 0);

        KeyState blocked = keys.stateToBlock(request("b"), 0);

        assertThat(keys.find("test", "b")).isSameAs(blocked);
        assertThat(keys.stateToBlock(request("b"), 0)).isSameAs(blocked);
        assertThat(keys.size()).isEqualTo(2);
    }

    @Test
    void clear_keysAndTheirText_leaveRoomForOthers() {
        find("abc", 0);
        keys.clear();

        assertThat(keys.size()).isZero();
        assertThat(find("def", 0)).isNotNull();
    }

    @Test
    void visitShare_idleKeys_areRemovedInAsManyVisits() {
        int size = 5_000;
        keys = new KeyDirectory(size, 1 << 20);
        for (int i = 0; i < size; i++) {
            find("key" + i, 0);
        }

        keys.visitShare(15, 1, 2 * SECOND);
        assertThat(size - keys.size()).isBetween(size / 30, size / 8);
        for (int i = 0; i < 15; i++) {
            keys.visitShare(15, 1, 2 * SECOND);
        }
        assertThat(keys.size()).isZero();
    }

    /** Closing an offer makes the threads that use it stop, and the compiler of some JVMs start again. */
    @Test
    void visitShare_offerInForce_staysOpen() {
        KeyState state = find("a", 0);
        Decision decision = Decision.allowed(LIMITS.list().get(0), 4, 0, 3600 * SECOND, 0);
        Offer offer = Offer.of(LIMITS, decision, 0, new Offer.Times(SECOND, SECOND, SECOND, SECOND));
        assertThat(state.enter()).isTrue();
        state.open(offer);
        state.unlock();

        keys.visitShare(1, 1, SECOND - 1);
        assertThat(state.offer()).isSameAs(offer);

        keys.visitShare(1, 1, SECOND);
        assertThat(state.offer()).isSameAs(Offer.NONE);
        assertThat(keys.find("test", "a")).as("idle").isNull();
    }
}
