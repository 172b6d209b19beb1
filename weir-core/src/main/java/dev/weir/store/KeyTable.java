package dev.weir.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent hash table of key states, whose entries are the states themselves, so that a look-up reads as little memory as
 * possible. Look-ups of present keys take no lock. Keys with equal hash codes, chosen by an attacker, cost a tree look-up at worst.
 */
/*
 * A table of segments, each with bins of linked states and a lock for changes. When a segment grows, its states are relinked
 * while look-ups go on. A link only ever moves to a later state of the old bin, so a look-up ends, and finds the right state or
 * none. If it finds none, it is repeated under the lock.
 */
final class KeyTable {
    private static final int SEGMENT_BITS = 6;
    private static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int MIN_BINS = 2;
    private static final int MAX_CHAIN = 8;
    private static final VarHandle BIN = MethodHandles.arrayElementVarHandle(KeyState[].class);
    private static final VarHandle SEGMENT = MethodHandles.arrayElementVarHandle(Segment[].class);

    private final @Nullable Segment[] segments = new Segment[SEGMENTS];

    private @Nullable Segment segment(int index) {
        return (Segment) SEGMENT.getAcquire(segments, index);
    }

    /** Returns the state of a limiter's key; null if there is none. */
    @Nullable
    KeyState get(String limiter, String key) {
        int hash = KeyState.hash(limiter, key);
        Segment segment = segment(hash & SEGMENTS - 1);
        if (segment == null) {
            return null;
        }
        KeyState found = segment.find(limiter, key, hash);
        return found != null ? found : segment.findLocked(limiter, key, hash);
    }

    /** Adds a state; the caller ensures that its key is absent. */
    void add(KeyState state) {
        int index = state.hash & SEGMENTS - 1;
        Segment segment = segment(index);
        if (segment == null) {
            SEGMENT.compareAndSet(segments, index, null, new Segment());
            segment = Objects.requireNonNull(segment(index));
        }
        segment.add(state);
    }

    /** Removes a state, if it is there. */
    void remove(KeyState state) {
        Segment segment = segment(state.hash & SEGMENTS - 1);
        if (segment != null) {
            segment.remove(state);
        }
    }

    /** Removes all states. */
    void clear() {
        for (int i = 0; i < SEGMENTS; i++) {
            SEGMENT.setRelease(segments, i, (Segment) null);
        }
    }

    /** Returns the number of bins, and of collided states, which is what a pass over the table costs. */
    int bins() {
        int bins = 0;
        for (int i = 0; i < SEGMENTS; i++) {
            Segment segment = segment(i);
            ConcurrentHashMap<Id, KeyState> others = segment == null ? null : segment.collided;
            bins += segment == null ? 0 : segment.bins.length;
            bins += others == null ? 0 : others.size();
        }
        return bins;
    }

    /** {@return a weakly consistent iterator over the bins: it may miss states that are added meanwhile, or return states twice} */
    BinIterator binIterator() {
        return new BinIterator();
    }

    /** A limiter's key, in an order that a map needs for many of the same hash code. */
    private record Id(String limiter, String key) implements Comparable<Id> {
        static Id of(KeyState state) {
            return new Id(state.limiter, state.key);
        }

        @Override
        public int compareTo(Id other) {
            int order = key.compareTo(other.key);
            return order != 0 ? order : limiter.compareTo(other.limiter);
        }
    }

    private static final class Segment {
        private volatile @Nullable KeyState[] bins = new KeyState[MIN_BINS];
        private volatile @Nullable ConcurrentHashMap<Id, KeyState> collided; // of bins with many states
        private int size; // without the collided ones

        private static @Nullable KeyState bin(@Nullable KeyState[] bins, int i) {
            return (KeyState) BIN.getAcquire(bins, i);
        }

        private static int index(@Nullable KeyState[] bins, int hash) {
            return hash >>> SEGMENT_BITS & bins.length - 1;
        }

        @Nullable
        KeyState find(String limiter, String key, int hash) {
            @Nullable KeyState[] table = bins;
            for (KeyState state = bin(table, index(table, hash)); state != null; state = state.next) {
                if (state.hash == hash && key.equals(state.key) && limiter.equals(state.limiter)) {
                    return state;
                }
            }
            ConcurrentHashMap<Id, KeyState> others = collided;
            return others == null ? null : others.get(new Id(limiter, key));
        }

        synchronized @Nullable KeyState findLocked(String limiter, String key, int hash) {
            return find(limiter, key, hash);
        }

        synchronized void add(KeyState state) {
            if (size >= bins.length - bins.length / 4) {
                grow();
            }
            @Nullable KeyState[] table = bins;
            int i = index(table, state.hash);
            KeyState first = bin(table, i);
            int chain = 0;
            for (KeyState other = first; other != null; other = other.next) {
                chain++;
            }
            if (chain < MAX_CHAIN) {
                state.next = first;
                BIN.setRelease(table, i, state);
                size++;
                return;
            }
            if (collided == null) {
                collided = new ConcurrentHashMap<>();
            }
            Objects.requireNonNull(collided).put(Id.of(state), state);
        }

        synchronized void remove(KeyState state) {
            @Nullable KeyState[] table = bins;
            int i = index(table, state.hash);
            KeyState before = null;
            for (KeyState other = bin(table, i); other != null; other = other.next) {
                if (other == state) {
                    if (before == null) {
                        BIN.setRelease(table, i, state.next);
                    } else {
                        before.next = state.next;
                    }
                    size--;
                    return;
                }
                before = other;
            }
            if (collided != null) {
                collided.remove(Id.of(state), state);
            }
        }

        /** Doubles the number of bins: the states of each are divided among two, in their order. */
        private void grow() {
            @Nullable KeyState[] old = bins;
            @Nullable KeyState[] next = new KeyState[2 * old.length];
            for (int i = 0; i < old.length; i++) {
                KeyState[] last = new KeyState[2];
                KeyState after;
                for (KeyState state = old[i]; state != null; state = after) {
                    after = state.next;
                    int to = index(next, state.hash);
                    int half = to == i ? 0 : 1;
                    if (last[half] == null) {
                        next[to] = state;
                    } else {
                        last[half].next = state;
                    }
                    last[half] = state;
                }
                for (KeyState end : last) {
                    if (end != null) {
                        end.next = null;
                    }
                }
            }
            bins = next;
        }
    }

    /** Goes through the segments, and in each through the bins and the collided states, which count as bins of their own. */
    final class BinIterator {
        private int index = -1;
        private @Nullable Segment segment;
        private int bin;
        private Iterator<KeyState> collided = Collections.emptyIterator();

        boolean hasNext() {
            while (!hasBin() && !collided.hasNext()) {
                if (index + 1 == SEGMENTS) {
                    return false;
                }
                segment = segment(++index);
                bin = 0;
                ConcurrentHashMap<Id, KeyState> others = segment == null ? null : segment.collided;
                collided = others == null ? collided : others.values().iterator();
            }
            return true;
        }

        private boolean hasBin() {
            return segment != null && bin < segment.bins.length; // more of them after the segment has grown
        }

        /** Returns the first state of the next bin, which is linked to the others; null if the bin is empty. */
        @Nullable
        KeyState next() {
            return segment != null && hasBin() ? Segment.bin(segment.bins, bin++) : collided.next();
        }
    }
}
