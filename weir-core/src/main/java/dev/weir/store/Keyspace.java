package dev.weir.store;

import dev.weir.Limits;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one limiter: those with a state of their own, and the common states that keys share when the store is full.
 *
 * <p>A key has its own state or is counted in its common one, never both: its own is made only under the monitor of the
 * common state, while that is idle; and the common state, under its monitor, answers only for keys without their own.
 */
final class Keyspace {
    static final int COMMON_STATES = 1024;
    private static final int MAX_SHAPES = 16;

    private final ConcurrentHashMap<String, KeyState> own = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, AtomicReferenceArray<@Nullable KeyState>> common =
            new ConcurrentHashMap<>();
    private volatile @Nullable Recent recent;

    private record Recent(Limits limits, AtomicReferenceArray<@Nullable KeyState> common) {}

    @Nullable
    KeyState own(String key) {
        return own.get(key);
    }

    void put(String key, KeyState state) {
        own.put(key, state);
    }

    void remove(String key, KeyState state) {
        own.remove(key, state);
    }

    Iterator<Map.Entry<String, KeyState>> iterator() {
        return own.entrySet().iterator();
    }

    /** The state that this key would share. */
    KeyState common(Limits limits, String key, long now, int clockSteps, Sequence order) {
        AtomicReferenceArray<@Nullable KeyState> states = common(limits);
        int hash = key.hashCode() * 0x9E3779B9; // golden ratio: spreads keys that differ little
        int i = (hash >>> 16) % COMMON_STATES;
        KeyState state = states.get(i);
        if (state == null) {
            states.compareAndSet(i, null, new KeyState(order.next(), true, now, clockSteps));
            state = Objects.requireNonNull(states.get(i));
        }
        return state;
    }

    private AtomicReferenceArray<@Nullable KeyState> common(Limits limits) {
        Recent known = recent;
        if (known == null || !known.limits.equals(limits)) {
            String shape = common.size() < MAX_SHAPES ? shape(limits) : "";
            AtomicReferenceArray<@Nullable KeyState> found = common.get(shape(limits));
            if (found == null) {
                found = common.computeIfAbsent(shape, s -> new AtomicReferenceArray<>(COMMON_STATES));
            }
            known = new Recent(limits, found);
            recent = known;
        }
        return known.common;
    }

    /** Names and algorithms of limits: what must be the same for one state to serve both. */
    static String shape(Limits limits) {
        return IntStream.range(0, limits.list().size())
                .mapToObj(i ->
                        limits.nameOf(i) + ' ' + limits.list().get(i).getClass().getSimpleName())
                .collect(Collectors.joining(","));
    }

    /** Gives each state its place in the locking order. */
    interface Sequence {
        long next();
    }
}
