package dev.weir.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent hash table of key states, whose entries are the states themselves, so that a look-up reads as little memory as
 * possible. Look-ups of present keys take no lock. Keys with equal hash codes, chosen by an attacker, cost a tree look-up at worst.
 * It counts the keys and the bytes of their text, and bounds both.
 */
/*
 * A table of segments, each with bins of linked states and a lock for changes. When a segment grows, its states are relinked
 * while look-ups go on. A link moves to a state that was relinked before, so a look-up ends, and finds the right state or none. If
 * it finds none, it is repeated under the lock.
 */
final class KeyTable {
    private static final int SEGMENT_BITS = 6;
    private static final int SEGMENTS = 1 << SEGMENT_BITS;
    private static final int MIN_BINS = 2;
    private static final int MAX_CHAIN = 8;
    private static final VarHandle BIN = MethodHandles.arrayElementVarHandle(KeyState[].class);
    private static final VarHandle BINS = MethodHandles.arrayElementVarHandle(KeyState[][].class);

    private final Segment[] segments = new Segment[SEGMENTS];
    private final @Nullable KeyState[] @Nullable [] bins = new KeyState[SEGMENTS][]; // of each segment, if it has any
    private final ConcurrentHashMap<Id, KeyState> collided = new ConcurrentHashMap<>(); // of bins with many states

    private final int maxKeys;
    private final long maxBytes;
    private int keys; // guarded by this, which is locked after a segment
    private long bytes; // of their text; guarded by this

    /**
     * Creates a table.
     *
     * @param maxKeys the most states
     * @param maxBytes the most bytes of the text of their keys
     */
    KeyTable(int maxKeys, long maxBytes) {
        this.maxKeys = maxKeys;
        this.maxBytes = maxBytes;
        Arrays.setAll(segments, i -> new Segment());
    }

    private @Nullable KeyState @Nullable [] bins(int segment) {
        return (KeyState[]) BINS.getAcquire(bins, segment);
    }

    private static @Nullable KeyState bin(@Nullable KeyState[] bins, int i) {
        return (KeyState) BIN.getAcquire(bins, i);
    }

    private static int index(@Nullable KeyState[] bins, int hash) {
        return hash >>> SEGMENT_BITS & bins.length - 1;
    }

    /** Returns the state of a limiter's key; null if there is none. */
    @Nullable
    KeyState get(String limiter, String key) {
        int hash = KeyState.hash(limiter, key);
        KeyState found = find(limiter, key, hash);
        if (found != null) {
            return found;
        }
        synchronized (segments[hash & SEGMENTS - 1]) {
            return find(limiter, key, hash);
        }
    }

    private @Nullable KeyState find(String limiter, String key, int hash) {
        @Nullable KeyState[] table = bins(hash & SEGMENTS - 1);
        if (table == null) {
            return null;
        }
        for (KeyState state = bin(table, index(table, hash)); state != null; state = state.next) {
            if (state.hash == hash && key.equals(state.key) && limiter.equals(state.limiter)) {
                return state;
            }
        }
        return collided.isEmpty() ? null : collided.get(new Id(limiter, key));
    }

    /**
     * Returns the state of a limiter's key, or adds one; null if there is no room for it.
     *
     * @param bounded whether a state is added only if there is room
     * @param creator creates the state, under the lock of its segment
     */
    @Nullable
    KeyState getOrAdd(String limiter, String key, boolean bounded, Supplier<KeyState> creator) {
        int hash = KeyState.hash(limiter, key);
        synchronized (segments[hash & SEGMENTS - 1]) {
            KeyState found = find(limiter, key, hash);
            if (found != null) {
                return found;
            }
            KeyState created = creator.get();
            return add(created, bounded) ? created : null;
        }
    }

    /** Adds a state, if there is room or that does not matter. The caller holds the lock of its segment. */
    private boolean add(KeyState state, boolean bounded) {
        int number = state.hash & SEGMENTS - 1;
        @Nullable KeyState[] table = bins(number);
        if (table == null || segments[number].size >= table.length - table.length / 4) {
            table = grown(table);
            BINS.setRelease(bins, number, table);
        }
        int i = index(table, state.hash);
        KeyState first = bin(table, i);
        int chain = 0;
        for (KeyState other = first; other != null; other = other.next) {
            chain++;
        }
        long text = textBytes(state.key);
        synchronized (this) {
            if (bounded && !fits(text)) {
                return false;
            }
            if (chain < MAX_CHAIN) {
                state.next = first;
                BIN.setRelease(table, i, state);
                segments[number].size++;
            } else {
                collided.put(new Id(state.limiter, state.key), state);
            }
            keys++; // last, and without a call, which could fail at the end of the stack: what is linked is counted
            bytes += text;
            return true;
        }
    }

    /** Removes a state, if it is there. */
    void remove(KeyState state) {
        long text = textBytes(state.key);
        synchronized (segments[state.hash & SEGMENTS - 1]) {
            if (unlink(state)) {
                synchronized (this) {
                    keys--;
                    bytes -= text;
                }
            }
        }
    }

    private boolean unlink(KeyState state) {
        int number = state.hash & SEGMENTS - 1;
        @Nullable KeyState[] table = bins(number);
        if (table == null) {
            return false;
        }
        int i = index(table, state.hash);
        KeyState before = null;
        for (KeyState other = bin(table, i); other != null; other = other.next) {
            if (other == state) {
                if (before == null) {
                    BIN.setRelease(table, i, state.next);
                } else {
                    before.next = state.next;
                }
                segments[number].size--;
                return true;
            }
            before = other;
        }
        return collided.remove(new Id(state.limiter, state.key), state);
    }

    /** Removes all states. */
    void clear() {
        for (int i = 0; i < SEGMENTS; i++) {
            synchronized (segments[i]) {
                BINS.setRelease(bins, i, (KeyState[]) null);
                segments[i].size = 0;
            }
        }
        collided.clear();
        synchronized (this) {
            keys = 0;
            bytes = 0;
        }
    }

    /** Returns the number of states. */
    synchronized int size() {
        return keys;
    }

    /** Returns the share of its bounds that is used: of the keys or of their text, whichever is fuller. */
    synchronized double utilization() {
        return Math.max((double) keys / maxKeys, (double) bytes / maxBytes);
    }

    /** Describes how much of its bounds is used. */
    synchronized String occupancy() {
        return keys + " keys (at most " + maxKeys + "), whose text takes " + bytes + " bytes (at most " + maxBytes
                + ")";
    }

    /** Returns whether there is room for another state. */
    synchronized boolean hasRoomFor(String key) {
        return fits(textBytes(key));
    }

    private boolean fits(long text) {
        return keys < maxKeys && bytes <= maxBytes - text;
    }

    /** Returns the bytes that the JVM stores for a text: one per character in Latin-1, else two. */
    private static long textBytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return 2L * text.length();
            }
        }
        return text.length();
    }

    /** Returns the number of bins, and of collided states, which is what a pass over the table costs. */
    int bins() {
        int number = collided.size();
        for (int i = 0; i < SEGMENTS; i++) {
            @Nullable KeyState[] table = bins(i);
            number += table == null ? 0 : table.length;
        }
        return number;
    }

    /**
     * {@return a weakly consistent iterator over the bins: it may miss states that are added, or moved by a segment that grows,
     * meanwhile, or return states twice}
     */
    BinIterator binIterator() {
        return new BinIterator();
    }

    /** A limiter's key, in an order that a map needs for many of the same hash code. */
    private record Id(String limiter, String key) implements Comparable<Id> {
        @Override
        public int compareTo(Id other) {
            int order = key.compareTo(other.key);
            return order != 0 ? order : limiter.compareTo(other.limiter);
        }
    }

    /** A lock for the changes of one segment. Its bins are in an array of the table, so that a look-up reads one object less. */
    private static final class Segment {
        private int size; // without the collided ones
    }

    /** Doubles the number of bins, and links the states again. */
    private static @Nullable KeyState[] grown(@Nullable KeyState @Nullable [] old) {
        if (old == null) {
            return new KeyState[MIN_BINS];
        }
        @Nullable KeyState[] next = new KeyState[2 * old.length];
        for (KeyState first : old) {
            KeyState after;
            for (KeyState state = first; state != null; state = after) {
                after = state.next;
                int to = index(next, state.hash);
                state.next = next[to];
                next[to] = state;
            }
        }
        return next;
    }

    /** Goes through the bins of the segments, then through the collided states, which count as bins of their own. */
    final class BinIterator {
        private int segment;
        private int bin;
        private @Nullable Iterator<KeyState> others; // once all bins have been visited

        boolean hasNext() {
            while (segment < SEGMENTS && !hasBin()) {
                segment++;
                bin = 0;
            }
            if (segment == SEGMENTS && others == null) {
                others = collided.values().iterator();
            }
            return others == null || others.hasNext();
        }

        private boolean hasBin() {
            @Nullable KeyState[] table = bins(segment);
            return table != null && bin < table.length; // more of them after the segment has grown
        }

        /** Returns the first state of the next bin, which is linked to the others; null if the bin is empty. */
        @Nullable
        KeyState next() {
            if (others != null) {
                return others.next();
            }
            @Nullable KeyState[] table = bins(segment);
            return table != null && bin < table.length ? bin(table, bin++) : null; // fewer after the table was cleared
        }
    }
}
