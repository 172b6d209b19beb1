package dev.weir.redis;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A step of a random trace.
 *
 * @param pass the time that passes before it
 * @param which a random number that chooses the target of the step
 */
record Step(long pass, Op op, long permits, long maxWait, int which) {
    /** The operation of a step. */
    enum Op {
        TRY,
        RESERVE,
        PEEK,
        REFUND,
        CHANGE,
        TOGETHER,
        BATCH,
        BLOCK,
        RESET,
        UNBLOCK,
        INSPECT,
        BACK // sets the clock back; last because most traces do not use it
    }

    /** Any operation, each about as often as the others; half of them decisions. */
    static Step any(SplittableRandom random) {
        long pass = random.nextInt(3) == 0 ? 0 : random.nextInt(random.nextInt(8) == 0 ? 60 : 6);
        Op op = Op.values()[random.nextInt(8) < 5 ? random.nextInt(2) : random.nextInt(Op.values().length - 1)];
        return new Step(
                pass, op, 1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 2), random.nextInt(60), random.nextInt(64));
    }

    /** Mostly decisions, at times after a rest in which short windows empty. */
    static Step withChanges(SplittableRandom random) {
        List<Op> seldom = List.of(
                Op.CHANGE, Op.CHANGE, Op.REFUND, Op.REFUND, Op.TOGETHER, Op.TOGETHER, Op.BATCH, Op.BLOCK, Op.UNBLOCK);
        int kind = random.nextInt(4 * seldom.size());
        long pass = random.nextInt(20) == 0 ? random.nextInt(80) : random.nextInt(4);
        Op op = kind < seldom.size() ? seldom.get(kind) : Op.TRY;
        return new Step(pass, op, 1 + random.nextInt(2), random.nextInt(10), random.nextInt(1 << 20));
    }

    /** Decisions and refunds under windows that shrink and grow, with rests in which some of them empty. */
    static Step withOtherWindows(SplittableRandom random) {
        List<Op> ops = List.of(
                Op.TRY, Op.TRY, Op.TRY, Op.RESERVE, Op.RESERVE, Op.BATCH, Op.REFUND, Op.REFUND, Op.CHANGE, Op.PEEK);
        Op op = ops.get(random.nextInt(ops.size()));
        long pass = random.nextInt(12) == 0 ? random.nextInt(120) : random.nextInt(5);
        return new Step(pass, op, 1 + random.nextInt(3), random.nextInt(60), random.nextInt(1 << 20));
    }

    /** Mostly reservations with long waits, so that many of them are pending at the same time. */
    static Step mostlyWaiting(SplittableRandom random) {
        List<Op> seldom =
                List.of(Op.TRY, Op.TRY, Op.BATCH, Op.REFUND, Op.REFUND, Op.REFUND, Op.CHANGE, Op.PEEK, Op.INSPECT);
        int kind = random.nextInt(3 * seldom.size());
        long pass = random.nextInt(10) == 0 ? random.nextInt(20) : random.nextInt(2);
        long maxWait = random.nextInt(6) == 0 ? random.nextInt(100) : 2_000;
        Op op = kind < seldom.size() ? seldom.get(kind) : Op.RESERVE;
        return new Step(pass, op, 1 + random.nextInt(2), maxWait, random.nextInt(1 << 20));
    }

    /** Any operation, with permits and times that are often at or next to a limit of the encoding. */
    static Step ofAnySize(SplittableRandom random) {
        Step step = any(random);
        int passBits = random.nextBoolean()
                ? random.nextInt(27)
                : List.of(7, 14, 21, 24, 32).get(random.nextInt(5));
        int permitsBits = random.nextBoolean() ? random.nextInt(18) : 8 * random.nextInt(3);
        return new Step(
                ofBits(passBits, random),
                step.op,
                1 + ofBits(permitsBits, random),
                ofBits(passBits, random),
                step.which);
    }

    /** Returns any number below 2^bits, or one next to it. */
    private static long ofBits(int bits, SplittableRandom random) {
        long end = 1L << bits;
        return random.nextBoolean() ? random.nextLong(end) : end - 1 + random.nextInt(2);
    }

    static Step withClockSetBack(SplittableRandom random) {
        List<Op> ops = List.of(
                Op.TRY, Op.TRY, Op.TRY, Op.RESERVE, Op.RESERVE, Op.PEEK, Op.BACK, Op.BACK, Op.CHANGE, Op.INSPECT);
        Op op = ops.get(random.nextInt(ops.size()));
        long pass = op == Op.BACK || random.nextBoolean() ? 0 : random.nextInt(6);
        return new Step(pass, op, 1 + random.nextInt(2), random.nextInt(60), random.nextInt(64));
    }

    /** Mostly grants, with refunds of them. */
    static Step mostlyGrants(SplittableRandom random) {
        int kind = random.nextInt(40);
        Op op = kind == 0
                ? Op.CHANGE
                : kind < 5 ? Op.REFUND : kind < 7 ? Op.BATCH : kind < 12 ? Op.RESERVE : kind < 13 ? Op.INSPECT : Op.TRY;
        int which = random.nextInt(1 << 20);
        return new Step(random.nextInt(4), op, random.nextInt(8) == 0 ? 2 : 1, random.nextInt(4) == 0 ? 200 : 0, which);
    }

    /** Mostly grants, and rests that are shorter than most windows. */
    static Step withRests(SplittableRandom random) {
        Step step = mostlyGrants(random);
        long pass = random.nextInt(200) == 0 ? random.nextInt(1_000) : step.pass;
        Op op = step.op == Op.CHANGE ? Op.PEEK : step.op;
        long permits = op == Op.PEEK ? 1 + random.nextInt(500) : step.permits;
        return new Step(pass, op, permits, step.maxWait, step.which);
    }
}
