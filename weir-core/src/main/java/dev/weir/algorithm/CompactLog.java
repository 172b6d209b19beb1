package dev.weir.algorithm;

import java.util.Objects;

/**
 * The compact form of a window log, for permits that are granted at once, a few in each tick. The state contains the oldest and
 * the newest stamp, the weight of the newest run, and three words of permits between, which take as many bits as the window needs:
 * a word has 6 permits if a window has 1,000 ticks, 4 if it has 60,000. So most decisions about a key that is used now and then
 * read nothing else. Further words are in an array, which a steady log seldom touches.
 */
/*
 * A permit before the newest run is the number of ticks to the next permit, 0 in the same tick, and one is added, because 0 is
 * none. From the oldest to the newest they are: those of `earlier`, the oldest in the highest bits; the words of a ring in the
 * array, which are full, and which begin with its head; those of `later`, the oldest in the highest bits; those of `recent`, the
 * newest in the lowest bits; then the newest run. How many words are in the array follows from the other numbers, so that an empty
 * array is not read. The amount contains the number of these permits, and in its lower half the weight of the newest run.
 */
final class CompactLog implements LogForm {
    private static final int MAX_BITS = 31; // of a permit
    private static final long OLDER = 1L << 32; // a permit before the newest run, in the amount
    private static final int HEAD = 0;
    private static final int RING = 1;
    private static final int MIN_ROOM = 4; // 56 bytes in all
    private static final int MAX_PERMITS = 1024;
    private static final int MAX_PER_TICK = 16; // more take less space as a run

    private final long window;
    private final Ticks ticks;
    private final long tick;
    private final int bits; // of a permit
    private final int perWord;
    private final int highest; // shift of a permit in the highest bits
    private final int oldest; // shift of the oldest permit of a full `recent`

    CompactLog(long window, Ticks ticks) {
        this.window = window;
        this.ticks = ticks;
        this.tick = ticks.length();
        long maxTicks = window / tick + 1; // between two stamps that count
        this.bits = Long.SIZE - Long.numberOfLeadingZeros(maxTicks + 1);
        this.perWord = Long.SIZE / bits;
        this.highest = Long.SIZE - bits;
        this.oldest = bits * (perWord - 1);
    }

    @Override
    public boolean prune(LimitState state, long now) {
        if (state.amount > 0 && now - oldest(state) >= window) {
            expire(state, now);
        }
        return true;
    }

    private static int older(LimitState state) {
        return (int) (state.amount >>> 32);
    }

    private void expire(LimitState state, long now) {
        if (now - state.instant >= window) {
            state.clear(state.instant);
            return;
        }
        while (older(state) > 0 && now - oldest(state) >= window) {
            state.span -= (int) removeFirst(state);
            state.amount -= OLDER;
        }
    }

    /** Removes the oldest permit. Requires one before the newest run. Returns its ticks. */
    private long removeFirst(LimitState state) {
        if (state.earlier == 0) {
            refill(state);
        }
        long ticks = first(state.earlier);
        state.earlier <<= bits;
        return ticks;
    }

    /** Moves the oldest word to {@code earlier}, and replaces the array by a smaller one if few are left. */
    private void refill(LimitState state) {
        int size = wordsInArray(state);
        if (size == 0 && state.later != 0) {
            state.earlier = state.later;
            state.later = 0;
            return;
        } else if (size == 0) {
            state.earlier = aligned(state.recent);
            state.recent = 0;
            return;
        }
        long[] array = array(state);
        state.earlier = array[slot(array, 0)];
        array[HEAD]++;
        int room = array.length - RING;
        if (room > MIN_ROOM && size <= room / 8) { // a steady log must not grow again at once
            state.more = resized(array, size - 1, room / 2);
        }
    }

    /** Returns the ticks of the permit in the highest bits. */
    private long first(long word) {
        return (word >>> highest) - 1;
    }

    /** Returns a word of {@code recent} with its oldest permit in the highest bits. */
    private long aligned(long recent) {
        return recent << (Long.SIZE - bits * inRecent(recent));
    }

    private int inRecent(long word) {
        return permits(Long.SIZE - Long.numberOfLeadingZeros(word));
    }

    /** Returns the number of permits in a word that begins with its oldest one. */
    private int inAligned(long word) {
        return permits(Long.SIZE - Long.numberOfTrailingZeros(word));
    }

    private boolean isFull(long aligned) {
        return aligned << oldest != 0;
    }

    private long appended(long aligned, long permit) {
        return aligned | permit << highest >>> (bits * inAligned(aligned));
    }

    private int permits(int usedBits) {
        return (usedBits + bits - 1) / bits;
    }

    private int wordsInArray(LimitState state) {
        return (older(state) - inAligned(state.earlier) - inAligned(state.later) - inRecent(state.recent)) / perWord;
    }

    private static long[] array(LimitState state) {
        return (long[]) Objects.requireNonNull(state.more);
    }

    private static int slot(long[] array, int i) {
        return RING + ((int) array[HEAD] + i & array.length - RING - 1);
    }

    private static long[] resized(long[] array, int size, int room) {
        long[] next = new long[RING + room];
        for (int i = 0; i < size; i++) {
            next[RING + i] = array[slot(array, i)];
        }
        return next;
    }

    @Override
    public long counted(LimitState state) {
        return older(state) + newestWeight(state);
    }

    @Override
    public long newest(LimitState state) {
        return state.instant;
    }

    @Override
    public long oldest(LimitState state) {
        return state.instant - state.span * tick;
    }

    @Override
    public long newestWeight(LimitState state) {
        return (int) state.amount;
    }

    @Override
    public boolean add(LimitState state, long now, long permits) {
        if (bits > MAX_BITS || permits > Integer.MAX_VALUE - newestWeight(state)) {
            return false;
        }
        if (state.amount == 0) {
            state.instant = ticks.stamp(now);
            state.span = 0;
        } else {
            long passed = ticks.between(state.instant, now);
            if (passed > 0 && !startTick(state, passed)) {
                return false;
            }
            state.instant += passed * tick;
            state.span += (int) passed;
        }
        state.amount += permits;
        return true;
    }

    /** Starts a tick, the given number of ticks after the newest run. Returns false if there is no room for that run. */
    private boolean startTick(LimitState state, long ticks) {
        if (newestWeight(state) > MAX_PER_TICK || counted(state) > MAX_PERMITS) {
            return false;
        }
        for (long weight = newestWeight(state); weight > 0; weight--) {
            append(state, weight > 1 ? 0 : ticks);
            state.amount += OLDER - 1;
        }
        return true;
    }

    private void append(LimitState state, long ticks) {
        if (state.recent >>> oldest != 0) {
            makeRoom(state);
        }
        state.recent = state.recent << bits | (ticks + 1);
    }

    /** Moves the oldest permit of {@code recent} to the word before it, and if that is full, one of that or all of them. */
    private void makeRoom(LimitState state) {
        if (isFull(state.later) && (isFull(state.earlier) || wordsInArray(state) > 0)) {
            addToArray(state, state.later);
            state.later = 0;
        } else if (isFull(state.later)) {
            state.earlier = appended(state.earlier, state.later >>> highest);
            state.later <<= bits;
        }
        state.later = appended(state.later, state.recent >>> oldest);
        state.recent &= (1L << oldest) - 1;
    }

    private void addToArray(LimitState state, long word) {
        int size = wordsInArray(state);
        if (state.more == null) {
            state.more = new long[RING + MIN_ROOM];
        } else if (size == array(state).length - RING) {
            state.more = resized(array(state), size, 2 * size);
        }
        long[] array = array(state);
        array[slot(array, size)] = word;
    }

    @Override
    public boolean canReserve(LimitState state, long now, long wait, long permits) {
        return permits <= Long.MAX_VALUE - counted(state);
    }

    @Override
    public long earliest(LimitState state, long now, long from, long most, long permits) {
        long excess = counted(state) - (most - permits);
        return excess <= 0 ? from : Math.max(from, stampOf(state, excess) - now + window);
    }

    /** Returns the stamp of a permit, counted from the oldest. */
    private long stampOf(LimitState state, long permit) {
        if (permit > older(state)) {
            return state.instant;
        }
        long stamp = oldest(state);
        long older = permit - 1;
        int size = wordsInArray(state);
        for (int i = 0; older > 0; i++) {
            for (long rest = word(state, i, size); rest != 0 && older > 0; rest <<= bits) {
                stamp += first(rest) * tick;
                older--;
            }
        }
        return stamp;
    }

    /** Returns the i-th word, the oldest first: those in the array have one before them and two behind, which may be empty. */
    private long word(LimitState state, int i, int size) {
        if (i == 0) {
            return state.earlier;
        } else if (i <= size) {
            return array(state)[slot(array(state), i - 1)];
        }
        return i == size + 1 ? state.later : aligned(state.recent);
    }

    @Override
    public long peak(LimitState state, long now, long most) {
        return counted(state);
    }

    @Override
    public boolean isIdle(LimitState state, long now) {
        return state.amount == 0 || now - state.instant >= window;
    }

    @Override
    public void forEachRun(LimitState state, long now, Algorithm.RunVisitor visitor) {
        long stamp = oldest(state);
        int size = wordsInArray(state);
        for (int i = 0; i < size + 3; i++) {
            for (long rest = word(state, i, size); rest != 0; rest <<= bits) {
                visitor.visit(stamp, 1, false);
                stamp += first(rest) * tick;
            }
        }
        if (state.amount > 0) {
            visitor.visit(state.instant, newestWeight(state), false);
        }
    }
}
