package dev.weir.testkit;

import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A step of a {@link History}. Times are in ticks of the store.
 *
 * @param pass the time that passes before; if negative, up to a tick before, at or a tick after an instant that a decision named
 * @param op the operation
 * @param permits the number of permits
 * @param maxWait the longest wait, or twice the duration of a block
 * @param which a random number that chooses the target of the step
 */
record Step(long pass, Op op, long permits, long maxWait, int which) {

    /** The operation of a step. */
    enum Op {
        TRY,
        RESERVE,
        REFUND,
        CANCEL,
        JOINT,
        RETRY,
        MAX_WAIT,
        REMAINING,
        DRAIN,
        OTHER_KEYS,
        CHANGE,
        BLOCK,
        UNBLOCK,
        RESET,
        DISTURB
    }

    private static final List<Op> SELDOM = List.copyOf(EnumSet.range(Op.REFUND, Op.DISTURB));

    /** Any step: mostly decisions. In short histories often at instants at which something changes; in long ones soon after another. */
    static Step any(SplittableRandom random, int size) {
        boolean isLong = size > 1;
        int kind = random.nextInt(100);
        boolean disturbs = random.nextInt(30) == 0;
        Op seldom = SELDOM.get(random.nextInt(SELDOM.size()));
        Op other = isLong && random.nextInt(8) > 0 ? Op.TRY : seldom;
        Op op = disturbs
                ? Op.DISTURB
                : kind < 5 ? Op.CHANGE : kind < 35 ? Op.TRY : kind < 60 ? Op.RESERVE : kind < 72 ? Op.REFUND : other;
        int rest = random.nextInt(isLong ? 400 : 20);
        long soon = random.nextBoolean() ? 0 : random.nextInt(5);
        long pass = rest == 0 ? random.nextInt(40 * size) : rest < 6 ? toKnownInstant(random) : soon;
        long permits = 1L + (random.nextInt(10) == 0 ? random.nextInt(8 * size) : random.nextInt(2));
        return new Step(pass, op, permits, random.nextInt(60 * size), random.nextInt(1 << 16));
    }

    private static long toKnownInstant(SplittableRandom random) {
        return -1L - random.nextInt(3);
    }

    /** Steps among which reservations are cancelled and blocks lifted while windows ahead are reserved. */
    static Step amongWindows(SplittableRandom random) {
        int kind = random.nextInt(20);
        Op seldom = kind < 18 ? Op.JOINT : kind < 19 ? Op.BLOCK : Op.UNBLOCK;
        Op op = kind < 9 ? Op.TRY : kind < 14 ? Op.RESERVE : kind < 17 ? Op.CANCEL : seldom;
        long pass = random.nextInt(3) > 0
                ? random.nextInt(2)
                : random.nextInt(3) == 0 ? toKnownInstant(random) : random.nextInt(6);
        return new Step(pass, op, 1 + random.nextInt(2), random.nextInt(60), random.nextInt(1 << 16));
    }

    /** Returns the operation alone: a failure lists the calls that it made. */
    @Override
    public String toString() {
        return op.name();
    }
}
