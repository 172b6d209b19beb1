package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which state decides for a key while keys are removed, share a state and are blocked. */
class KeyDirectoryTest {
    private static final long SECOND = 1_000_000_000;
    private static final Limits LIMITS = Limits.parse("5/1h");

    private KeyDirectory keys = new KeyDirectory(new KeyBudget(1, 3), true);

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
        keys = new KeyDirectory(new KeyBudget(9, 9), true);
        KeyState first = find("a", 0);
        assertThat(first.enter()).isTrue();
        assertThat(first.retireIfIdle(SECOND)).isTrue();
        first.unlock();

        assertThat(keys.enter(first, List.of(request("a")), SECOND)).isFalse();
        assertThat(keys.own("test", "a")).isNull();

        KeyState second = find("a", SECOND);
        assertThat(second).isNotSameAs(first);
        assertThat(keys.enter(second, List.of(request("a")), SECOND)).isTrue();
        assertThat(second.tryEnter()).as("locked").isFalse();
    }

    @Test
    void enter_sharedStateOfAKeyThatHasItsOwn_isRefusedAndUnlocked() {
        find("own", 0);
        KeyState shared = find("b", 0);
        assertThat(shared.isShared()).isTrue();
        assertThat(keys.enter(shared, List.of(request("b")), 0)).isTrue();
        shared.unlock();

        keys.visitShare(1, 1_000, 2 * SECOND);
        assertThat(keys.size()).isZero();
        assertThat(keys.own("test", "own")).isNull();
        assertThat(find("b", 2 * SECOND).isShared()).isFalse();

        assertThat(keys.enter(shared, List.of(request("b")), 2 * SECOND)).isFalse();
        assertThat(shared.tryEnter()).as("unlocked").isTrue();
    }

    @Test
    void enter_stateForABlockOnly_isRemovedWhenTheBlockEnds() {
        find("own", 0);
        KeyState shared = find("b", 0);
        LimitMigration.prepare(shared, new CompiledLimits.Cache().of(LIMITS), 0);
        assertThat(Decider.decideAtOnce(shared, LIMITS, 1, 0).allowed()).isTrue();

        assertThat(keys.addBlocked(request("b"), SECOND, 0)).isNull();
        KeyState blocked = find("b", 0);
        assertThat(blocked.blocksOnly()).isTrue();
        assertThat(keys.addBlocked(request("b"), SECOND, 0)).isSameAs(blocked);
        assertThat(keys.enter(blocked, List.of(request("b")), SECOND - 1)).isTrue();
        blocked.unlock();

        assertThat(keys.enter(blocked, List.of(request("b")), SECOND)).isFalse();
        assertThat(keys.own("test", "b")).isNull();
        assertThat(find("b", SECOND)).isSameAs(shared);
    }

    @Test
    void clear_keysAndTheirText_leaveRoomForOthers() {
        find("abc", 0);
        keys.clear();

        assertThat(keys.size()).isZero();
        assertThat(find("def", 0).isShared()).isFalse();
    }

    @Test
    void visitShare_idleKeys_areRemovedInAsManyVisits() {
        int size = 5_000;
        keys = new KeyDirectory(new KeyBudget(size, 1 << 20), true);
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
}
