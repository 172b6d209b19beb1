package dev.weir.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The compact form of a window log, for permits that are granted at once, a few in each tick. The state contains the oldest and
 * the newest stamp, the weight of the newest run, and up to eight permits between; so most decisions about a key that is used now
 * and then read nothing else. Further permits take 4 bytes each, in an array.
 */
/*
 * A permit before the newest run is the number of ticks to the next permit, 0 in the same tick. From the oldest to the newest they
 * are: a ring in the array, which begins with its head and its size; then 16 bits each in `earlier` and `recent`, where 0 is none and
 * the oldest has the highest bits; then the newest run.
 */
final class CompactLog implements LogForm {
    /** The longest window in ticks. */
    private static final long MAX_TICKS = (1L << 31) - 1; // two counted stamps may be one tick further apart

    private static final int HEAD = 0;
    private static final int SIZE = 1;
    private static final int RING = 2;
    private static final int MIN_ROOM = 16; // 88 bytes in all
    private static final int MAX_ROOM = 1024;
    private static final int MAX_PER_TICK = 16; // more take less space as a run
    private static final int RECENT_BITS = 16;
    private static final long MAX_RECENT = (1L << RECENT_BITS) - 1;
    private static final int OLDEST_RECENT = 48; // the shift to the highest bits
    private static final int INLINE = 2 * Long.SIZE / RECENT_BITS; // permits

    private final long window;
    private final Ticks ticks;
    private final long tick;
    private final boolean isPossible;

    CompactLog(long window, Ticks ticks) {
        this.window = window;
        this.ticks = ticks;
        this.tick = ticks.length();
        this.isPossible = window / tick < MAX_TICKS;
    }

    private static int @Nullable [] array(LimitState state) {
        return (int[]) state.more;
    }

    private static int slot(int[] array, int i) {
        return RING + (array[HEAD] + i & array.length - RING - 1);
    }

    @Override
    public boolean prune(LimitState state, long now) {
        if (state.amount > 0 && now - state.oldest >= window) {
            expire(state, now);
        }
        return true;
    }

    private void expire(LimitState state, long now) {
        int[] array = array(state);
        if (now - state.instant >= window) {
            state.amount = 0;
            state.earlier = 0;
            state.recent = 0;
            if (array != null && array.length > RING + MIN_ROOM) {
                state.more = null;
            } else if (array != null) {
                array[SIZE] = 0;
            }
            return;
        }
        while (state.amount > state.weight && now - state.oldest >= window) {
            if (array != null && array[SIZE] > 0) {
                state.oldest += array[slot(array, 0)] * tick;
                array[HEAD] = slot(array, 1) - RING;
                array[SIZE]--;
            } else {
                state.oldest += removeFirst(state) * tick;
            }
            state.amount--;
        }
        int room = array == null ? 0 : array.length - RING;
        if (array != null && room > MIN_ROOM && array[SIZE] <= room / 8) { // a steady log must not grow again at once
            state.more = resized(array, room / 2);
        }
    }

    /** Removes the oldest permit in {@code earlier} and {@code recent}. Requires one. Returns its ticks. */
    private static long removeFirst(LimitState state) {
        boolean both = state.earlier != 0;
        long from = both ? state.earlier : state.recent;
        int shift = (63 - Long.numberOfLeadingZeros(from)) & -RECENT_BITS;
        long rest = from & ~(MAX_RECENT << shift);
        if (both) {
            state.earlier = rest;
        } else {
            state.recent = rest;
        }
        return from >>> shift;
    }

    /** Returns the ticks of a permit in {@code earlier} and {@code recent}, the oldest first; 0 if there is none at that position. */
    private static long inline(LimitState state, int i) {
        long part = i < INLINE / 2 ? state.earlier : state.recent;
        return (part << (RECENT_BITS * i)) >>> OLDEST_RECENT; // Java takes the shift modulo 64
    }

    @Override
    public long counted(LimitState state) {
        return state.amount;
    }

    @Override
    public long newest(LimitState state) {
        return state.instant;
    }

    @Override
    public long oldest(LimitState state) {
        return state.oldest;
    }

    @Override
    public long newestWeight(LimitState state) {
        return state.weight;
    }

    @Override
    public boolean add(LimitState state, long now, long permits) {
        long stamp = ticks.stamp(now);
        if (!isPossible || permits > Integer.MAX_VALUE - (state.amount > 0 ? state.weight : 0)) {
            return false;
        }
        if (state.amount == 0) {
            state.oldest = stamp;
            state.instant = stamp;
            state.weight = 0;
        } else if (stamp != state.instant) {
            if (stamp - state.instant < 0 || !startTick(state, (stamp - state.instant) / tick)) {
                return false;
            }
            state.instant = stamp;
            state.weight = 0;
        }
        state.weight += (int) permits;
        state.amount += permits;
        return true;
    }

    /** Starts a tick, the given number of ticks after the newest run. */
    private static boolean startTick(LimitState state, long ticks) {
        if (state.weight == 1 && ticks <= MAX_RECENT && inline(state, 0) == 0) {
            state.earlier = state.earlier << RECENT_BITS | state.recent >>> OLDEST_RECENT;
            state.recent = state.recent << RECENT_BITS | ticks;
            return true;
        }
        int[] array = array(state);
        int size = array == null ? 0 : array[SIZE];
        int needed = size + INLINE + state.weight;
        if (state.weight > MAX_PER_TICK || needed > MAX_ROOM) {
            return false;
        }
        if (array == null || needed > array.length - RING) {
            int room = MIN_ROOM;
            while (room < needed) {
                room *= 2;
            }
            array = array == null ? new int[RING + room] : resized(array, room);
            state.more = array;
        }
        while (state.recent != 0) {
            array[slot(array, array[SIZE]++)] = (int) removeFirst(state);
        }
        for (int i = 1; i < state.weight; i++) {
            array[slot(array, array[SIZE]++)] = 0;
        }
        array[slot(array, array[SIZE]++)] = (int) ticks;
        return true;
    }

    private static int[] resized(int[] array, int room) {
        int[] next = new int[RING + room];
        for (int i = 0; i < array[SIZE]; i++) {
            next[RING + i] = array[slot(array, i)];
        }
        next[SIZE] = array[SIZE];
        return next;
    }

    @Override
    public long earliest(LimitState state, long now, long from, long most, long permits) {
        long excess = state.amount - (most - permits);
        return excess <= 0 ? from : Math.max(from, LongMath.expiresAfter(stampOf(state, excess), now, window));
    }

    /** Returns the stamp of a permit, counted from the oldest. */
    private long stampOf(LimitState state, long permit) {
        if (permit > state.amount - state.weight) {
            return state.instant;
        }
        long stamp = state.oldest;
        int[] array = array(state);
        int size = array == null ? 0 : array[SIZE];
        for (int i = 0; array != null && i < Math.min(size, permit - 1); i++) {
            stamp += array[slot(array, i)] * tick;
        }
        long more = permit - 1 - size;
        for (int i = 0; i < INLINE && more > 0; i++) {
            long ticks = inline(state, i);
            stamp += ticks * tick;
            more -= ticks > 0 ? 1 : 0;
        }
        return stamp;
    }

    @Override
    public long peak(LimitState state, long now, long most) {
        return state.amount;
    }

    @Override
    public boolean isIdle(LimitState state, long now) {
        return state.amount == 0 || now - state.instant >= window;
    }

    @Override
    public void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor) {
        long stamp = state.oldest;
        int[] array = array(state);
        for (int i = 0; array != null && i < array[SIZE]; i++) {
            visitor.visit(stamp, 1, false);
            stamp += array[slot(array, i)] * tick;
        }
        for (int i = 0; i < INLINE; i++) {
            if (inline(state, i) > 0) {
                visitor.visit(stamp, 1, false);
                stamp += inline(state, i) * tick;
            }
        }
        if (state.amount > 0) {
            visitor.visit(state.instant, state.weight, false);
        }
    }
}
