package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeyTableTest {
    private static final String LIMITER = "test";

    private static final int TRIES = 500_000;

    private final KeyTable table = new KeyTable(Integer.MAX_VALUE, Long.MAX_VALUE);

    private KeyState added(String key) {
        return added(LIMITER, key);
    }

    private KeyState added(String limiter, String key) {
        KeyState state = new KeyState(limiter, key, 0);
        assertThat(table.getOrAdd(limiter, key, true, () -> state)).isSameAs(state);
        return state;
    }

    private static boolean add(KeyTable bounded, String key) {
        return bounded.getOrAdd(LIMITER, key, true, () -> new KeyState(LIMITER, key, 0)) != null;
    }

    private void remove(KeyState state) {
        state.enter();
        state.retire();
        table.remove(state);
    }

    @Test
    void anyOperations_asAMap() {
        SplittableRandom random = new SplittableRandom(1);
        Map<String, KeyState> expected = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            String key = "key" + random.nextInt(20_000);
            KeyState known = expected.get(key);
            assertThat(table.get(LIMITER, key)).isSameAs(known);
            if (known == null) {
                expected.put(key, added(key));
            } else if (random.nextInt(3) == 0) {
                remove(known);
                expected.remove(key);
            }
        }
        assertThat(new HashSet<>(iterated())).isEqualTo(new HashSet<>(expected.values()));
    }

    private List<KeyState> iterated() {
        List<KeyState> states = new ArrayList<>();
        for (KeyTable.BinIterator bins = table.binIterator(); bins.hasNext(); ) {
            for (KeyState state = bins.next(); state != null; state = state.next) {
                states.add(state);
            }
        }
        return states;
    }

    @Test
    void bins_afterManyWereRemoved_areIteratedOneByOne() {
        List<KeyState> states = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            states.add(added("key" + i));
        }
        states.forEach(this::remove);
        int steps = 0;
        for (KeyTable.BinIterator bins = table.binIterator(); bins.hasNext(); steps++) {
            assertThat(bins.next()).isNull();
        }
        assertThat(steps).isEqualTo(table.bins()).isGreaterThan(10_000);
    }

    /** "Aa" and "BB" have one hash code, and so have all sequences of n of them. */
    private List<KeyState> addedWithOneHashCode() {
        List<KeyState> states = new ArrayList<>();
        for (int i = 0; i < 1 << 12; i++) {
            StringBuilder key = new StringBuilder();
            for (int bit = 0; bit < 12; bit++) {
                key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            states.add(added(key.toString()));
            states.add(added("other", key.toString()));
        }
        return states;
    }

    @Test
    void keysOfOneHashCode_areFoundAndRemoved() {
        List<KeyState> states = addedWithOneHashCode();
        assertThat(states)
                .allSatisfy(
                        state -> assertThat(table.get(state.limiter, state.key)).isSameAs(state));
        assertThat(iterated()).hasSameSizeAs(states);

        states.forEach(this::remove);

        assertThat(states)
                .allSatisfy(
                        state -> assertThat(table.get(state.limiter, state.key)).isNull());
        assertThat(iterated()).isEmpty();
    }

    @Test
    void clear_keysOfOneHashCode_noneIsLeft() {
        List<KeyState> states = addedWithOneHashCode();

        table.clear();

        assertThat(states)
                .allSatisfy(
                        state -> assertThat(table.get(state.limiter, state.key)).isNull());
        assertThat(table.bins()).isZero();
    }

    /** Look-ups of present keys never miss while other keys are added and removed and the segments grow. */
    @Tag("large")
    @Test
    void lookUps_whileTheTableGrows_findTheirKeys() throws InterruptedException {
        List<KeyState> present = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            present.add(added("present" + i));
        }
        AtomicBoolean done = new AtomicBoolean();
        AtomicBoolean missed = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!done.get()) {
                for (KeyState state : present) {
                    missed.compareAndSet(false, table.get(state.limiter, state.key) != state);
                }
            }
        });
        reader.start();
        List<KeyState> others = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            others.add(added("other" + i));
            if (i % 3 == 0) {
                remove(others.remove(others.size() - 1));
            }
        }
        done.set(true);
        reader.join();
        assertThat(missed).isFalse();
    }

    @Test
    void utilization_isThatOfKeysOrOfTheirText_theLargerOne() {
        KeyTable bounded = new KeyTable(4, 20);

        assertThat(bounded.utilization()).isZero();
        add(bounded, "a");
        assertThat(bounded.utilization()).isEqualTo(0.25);
        add(bounded, "bcdefghij");
        assertThat(bounded.utilization()).isEqualTo(0.5);
        add(bounded, "klmnopqr");
        assertThat(bounded.utilization()).isEqualTo(0.9);
        bounded.clear();
        assertThat(bounded.utilization()).isZero();
    }

    @Test
    void getOrAdd_upToTheLastKeyAndByte_addsWhatFits() {
        KeyTable bounded = new KeyTable(2, 6);
        assertThat(add(bounded, "abcd")).isTrue();
        assertThat(add(bounded, "abc")).isFalse();
        assertThat(add(bounded, "\u0416\u0416")).isFalse(); // two bytes each
        assertThat(add(bounded, "\u0416")).isTrue();
        assertThat(add(bounded, "a")).isFalse();

        KeyState removed = bounded.get(LIMITER, "abcd");
        assertThat(removed).isNotNull();
        bounded.remove(removed);
        bounded.remove(removed);
        assertThat(bounded.size()).as("counted once").isEqualTo(1);
        assertThat(add(bounded, "abcde")).isFalse();
        assertThat(add(bounded, "abcd")).isTrue();
        assertThat(bounded.size()).isEqualTo(2);
    }

    @Test
    void getOrAdd_whileOthersDoNotFit_addsWhatFits() {
        KeyTable bounded = new KeyTable(100, 10);
        KeyState state = new KeyState(LIMITER, "key", 0);
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < TRIES; i++) {
                assertThat(add(bounded, "much too long")).isFalse();
            }
        });
        while (!others.isDone()) {
            assertThat(bounded.getOrAdd(LIMITER, "key", true, () -> state)).isSameAs(state);
            bounded.remove(state);
        }
        others.join();
    }

    /** Else the bound would be reached by keys that are not there. */
    @Test
    void getOrAdd_noMemory_isNotCounted() {
        KeyTable bounded = new KeyTable(2, 100);
        Supplier<KeyState> failing = () -> {
            throw new OutOfMemoryError("no state");
        };
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> bounded.getOrAdd(LIMITER, "key", true, failing))
                    .hasMessage("no state");
        }

        assertThat(bounded.size()).isZero();
        assertThat(add(bounded, "key")).isTrue();
    }
}
