package dev.weir.algorithm;

import java.util.Objects;

/**
 * The compact form of a window log, for permits that are granted at once, a few in each tick. The state contains the oldest and
 * the newest stamp, the weight of the newest run, and up to eight permits between; so most decisions about a key that is used now
 * and then read nothing else. Further permits take 4 bytes each, in an array, which one of five decisions in a steady log touches.
 */
/*
 * A permit before the newest run is the number of ticks to the next permit, 0 in the same tick. From the oldest to the newest they
 * are: up to four in `earlier`; a ring in the array, which begins with its head; up to four in `recent`; then the newest run. The two
 * numbers contain 16 bits for a permit, from 1 tick to 65,535, the newest in the lowest bits; 0 is none. How many permits are in the
 * array follows from the other numbers, so that an empty array is not read. What expires is taken from `earlier`, what is granted is
 * added to `recent`, and up to five at a time pass through the array.
 */
final class CompactLog implements LogForm {
    /** The longest window in ticks. */
    private static final long MAX_TICKS = (1L << 31) - 1; // two counted stamps may be one tick further apart

    private static final int HEAD = 0;
    private static final int RING = 1;
    private static final int MIN_ROOM = 16; // 88 bytes in all
    private static final int MAX_ROOM = 1024;
    private static final int MAX_PER_TICK = 16; // more take less space as a run
    private static final int BITS = 16; // of a permit in a number
    private static final int IN_NUMBER = Long.SIZE / BITS;
    private static final int OLDEST = Long.SIZE - BITS; // the shift of the oldest of four
    private static final int MAX_TICKS_IN_NUMBER = (1 << BITS) - 1;

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

    private static int[] array(LimitState state) {
        return (int[]) Objects.requireNonNull(state.more);
    }

    /** Returns the number of permits in the array. */
    private static int sizeOfArray(LimitState state) {
        return (int) (state.amount - state.weight) - count(state.earlier) - count(state.recent);
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
        if (now - state.instant >= window) {
            state.amount = 0;
            state.earlier = 0;
            state.recent = 0;
            state.more = null;
            return;
        }
        while (state.amount > state.weight && now - state.oldest >= window) {
            state.oldest += removeFirst(state) * tick;
            state.amount--;
        }
    }

    /** Removes the oldest permit. Requires one before the newest run. Returns its ticks. */
    private static long removeFirst(LimitState state) {
        if (state.earlier == 0 && sizeOfArray(state) > 0) {
            refill(state);
            if (state.earlier == 0) {
                return removeFirst(array(state));
            }
        }
        if (state.earlier != 0) {
            long ticks = ticks(state.earlier, 0);
            state.earlier = withoutFirst(state.earlier);
            return ticks;
        }
        long ticks = ticks(state.recent, 0);
        state.recent = withoutFirst(state.recent);
        return ticks;
    }

    /** Moves the oldest permits of the array to {@code earlier}, and replaces the array by a smaller one if few are left. */
    private static void refill(LimitState state) {
        int[] array = array(state);
        int size = sizeOfArray(state);
        while (size > 0 && hasRoom(state.earlier) && isInNumber(array[slot(array, 0)])) {
            state.earlier = state.earlier << BITS | removeFirst(array);
            size--;
        }
        int room = array.length - RING;
        if (room > MIN_ROOM && size <= room / 8) { // a steady log must not grow again at once
            state.more = resized(array, size, room / 2);
        }
    }

    private static int removeFirst(int[] array) {
        int ticks = array[slot(array, 0)];
        array[HEAD] = slot(array, 1) - RING;
        return ticks;
    }

    private static boolean isInNumber(long ticks) {
        return ticks > 0 && ticks <= MAX_TICKS_IN_NUMBER;
    }

    private static boolean hasRoom(long number) {
        return number >>> OLDEST == 0;
    }

    /** Returns the number of permits in a number. */
    private static int count(long number) {
        return IN_NUMBER - Long.numberOfLeadingZeros(number) / BITS;
    }

    /** Returns the ticks of a permit in a number, which must contain it; the oldest is 0. */
    private static long ticks(long number, int i) {
        return number >>> (BITS * (count(number) - 1 - i)) & MAX_TICKS_IN_NUMBER;
    }

    private static long withoutFirst(long number) {
        return number & (1L << (BITS * (count(number) - 1))) - 1;
    }

    /** Returns the ticks of a permit before the newest run; the oldest is 0. */
    private static long ticks(LimitState state, int i) {
        int behind = i - count(state.earlier);
        if (behind < 0) {
            return ticks(state.earlier, i);
        }
        int size = sizeOfArray(state);
        if (behind >= size) {
            return ticks(state.recent, behind - size);
        }
        int[] array = array(state);
        return array[slot(array, behind)];
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
        if (!isPossible || permits > Integer.MAX_VALUE - (state.amount > 0 ? state.weight : 0)) {
            return false;
        }
        if (state.amount == 0) {
            state.instant = ticks.stamp(now);
            state.oldest = state.instant;
            state.weight = 0;
        } else {
            long passed = ticks.between(state.instant, now);
            if (passed < 0 || (passed > 0 && !startTick(state, passed))) {
                return false;
            }
            state.instant += passed * tick;
        }
        state.weight += (int) permits;
        state.amount += permits;
        return true;
    }

    @Override
    public boolean canReserve(LimitState state, long now, long wait, long permits) {
        return permits <= Long.MAX_VALUE - state.amount;
    }

    /** Starts a tick, the given number of ticks after the newest run. Returns false if there is no room for that run. */
    private static boolean startTick(LimitState state, long ticks) {
        boolean inNumber = state.weight == 1 && isInNumber(ticks);
        if (inNumber && hasRoom(state.recent)) {
            state.recent = state.recent << BITS | ticks;
        } else if (inNumber && hasRoom(state.earlier) && sizeOfArray(state) == 0) {
            state.earlier = state.earlier << BITS | ticks(state.recent, 0);
            state.recent = state.recent << BITS | ticks;
        } else if (!addToArray(state, ticks)) {
            return false;
        }
        state.weight = 0;
        return true;
    }

    /** Adds the permits in {@code recent} and those of the newest run. Returns false if there is no room. */
    private static boolean addToArray(LimitState state, long ticks) {
        int size = sizeOfArray(state);
        int needed = size + IN_NUMBER + state.weight;
        if (state.weight > MAX_PER_TICK || needed > MAX_ROOM) {
            return false;
        }
        if (state.more == null || needed > array(state).length - RING) {
            int room = MIN_ROOM;
            while (room < needed) {
                room *= 2;
            }
            state.more = state.more == null ? new int[RING + room] : resized(array(state), size, room);
        }
        int[] array = array(state);
        for (; state.recent != 0; state.recent = withoutFirst(state.recent)) {
            array[slot(array, size++)] = (int) ticks(state.recent, 0);
        }
        for (; state.weight > 1; state.weight--) {
            array[slot(array, size++)] = 0;
        }
        array[slot(array, size)] = (int) ticks;
        state.weight = 0;
        refill(state);
        return true;
    }

    private static int[] resized(int[] array, int size, int room) {
        int[] next = new int[RING + room];
        for (int i = 0; i < size; i++) {
            next[RING + i] = array[slot(array, i)];
        }
        return next;
    }

    @Override
    public long earliest(LimitState state, long now, long from, long most, long permits) {
        long excess = state.amount - (most - permits);
        return excess <= 0 ? from : Math.max(from, stampOf(state, excess) - now + window);
    }

    /** Returns the stamp of a permit, counted from the oldest. */
    private long stampOf(LimitState state, long permit) {
        if (permit > state.amount - state.weight) {
            return state.instant;
        }
        long stamp = state.oldest;
        for (int i = 0; i < permit - 1; i++) {
            stamp += ticks(state, i) * tick;
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
        for (int i = 0; i < state.amount - state.weight; i++) {
            visitor.visit(stamp, 1, false);
            stamp += ticks(state, i) * tick;
        }
        if (state.amount > 0) {
            visitor.visit(state.instant, state.weight, false);
        }
    }
}
