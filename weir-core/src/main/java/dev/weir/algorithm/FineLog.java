package dev.weir.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * A log with nothing but bookings at once, each at the end of its tick: the memory's pair of numbers is the newest stamp,
 * and the weight of all. Older permits take 4 bytes each, in an array that hangs on the memory as soon as there are any.
 */
/*
 * The array: where the oldest is, how many there are, the number of the newest stamp's tick, and then a ring of the older
 * permits' tick numbers. Tick numbers count modulo 2^32 from anywhere: only how far they lie behind the newest one matters,
 * which is less than MOST_TICKS. A permit of the same tick as another stands for itself.
 */
final class FineLog {
    /** The longest window in ticks that this can hold. */
    static final long MOST_TICKS = 1L << 31;

    private static final int HEAD = 0;
    private static final int SIZE = 1;
    private static final int NEWEST = 2;
    private static final int RING = 3;
    private static final int LEAST_ROOM = 9; // 64 bytes in all
    private static final long MOST_A_TICK = 64; // more are too many to stand for themselves
    private static final int WORTH_MERGING = 4; // a run of a ledger takes as much space as so many permits

    private FineLog() {}

    private static int @Nullable [] older(Memory memory) {
        return (int[]) memory.more;
    }

    private static long stamp(Memory memory, int[] older, int i, long tick) {
        return memory.instant - (older[NEWEST] - older[slot(older, i)] & 0xFFFF_FFFFL) * tick;
    }

    private static int slot(int[] older, int i) {
        int at = older[HEAD] + i;
        int room = older.length - RING;
        return RING + (at < room ? at : at - room);
    }

    /** The stamp of the permit that so many, the oldest first, end with. */
    static long stampOf(Memory memory, long permits, long tick) {
        int[] older = older(memory);
        return older == null || permits > older[SIZE] ? memory.instant : stamp(memory, older, (int) permits - 1, tick);
    }

    /** Lets go of what has left the window. */
    static void prune(Memory memory, long now, long window, long tick) {
        if (now - memory.instant >= window) {
            memory.amount = 0;
        }
        int[] older = older(memory);
        if (older == null) {
            return;
        }
        if (memory.amount == 0) {
            older[SIZE] = 0;
            memory.more = older.length > RING + LEAST_ROOM ? null : older;
            return;
        }
        while (older[SIZE] > 0 && now - stamp(memory, older, 0, tick) >= window) {
            older[HEAD] = slot(older, 1) - RING;
            older[SIZE]--;
            memory.amount--;
        }
        int room = older.length - RING;
        if (room > LEAST_ROOM && older[SIZE] <= room / 4) {
            memory.more = resized(older, Math.max(LEAST_ROOM, room / 2));
        }
    }

    /** Books permits at a stamp, if that is the newest or later, and if this takes less space than a ledger. */
    static boolean book(Memory memory, long stamp, long permits, long tick) {
        if (memory.amount == 0) {
            memory.instant = stamp;
        } else if (stamp != memory.instant && !begin(memory, stamp, tick)) {
            return false;
        }
        memory.amount += permits;
        return true;
    }

    /** Begins a new tick: the newest permits become older ones. */
    private static boolean begin(Memory memory, long stamp, long tick) {
        int[] older = older(memory);
        long newest = memory.amount - (older == null ? 0 : older[SIZE]);
        if (newest > MOST_A_TICK || stamp - memory.instant < 0) {
            return false;
        }
        if (older == null || older[SIZE] + newest > older.length - RING) {
            if (older != null && WORTH_MERGING * distinct(older) < older[SIZE]) {
                return false;
            }
            older = older == null
                    ? new int[RING + roomFor((int) newest)]
                    : resized(older, roomFor(older[SIZE] + (int) newest));
            memory.more = older;
        }
        for (long i = 0; i < newest; i++) {
            older[slot(older, older[SIZE]++)] = older[NEWEST];
        }
        older[NEWEST] += (int) ((stamp - memory.instant) / tick);
        memory.instant = stamp;
        return true;
    }

    private static int roomFor(int permits) {
        int room = LEAST_ROOM;
        while (room < permits) {
            room *= 2;
        }
        return room;
    }

    private static long distinct(int[] older) {
        long distinct = 1;
        for (int i = 1; i < older[SIZE]; i++) {
            distinct += older[slot(older, i)] == older[slot(older, i - 1)] ? 0 : 1;
        }
        return distinct;
    }

    private static int[] resized(int[] older, int room) {
        int[] next = new int[RING + room];
        for (int i = 0; i < older[SIZE]; i++) {
            next[RING + i] = older[slot(older, i)];
        }
        next[SIZE] = older[SIZE];
        next[NEWEST] = older[NEWEST];
        return next;
    }

    /** Tells all runs, oldest first; a stamp may come more than once. */
    static void forEach(Memory memory, long tick, Run run) {
        int[] older = older(memory);
        int size = 0;
        if (older != null) {
            size = older[SIZE];
            for (int i = 0; i < size; i++) {
                run.accept(stamp(memory, older, i, tick), 1);
            }
        }
        if (memory.amount > size) {
            run.accept(memory.instant, memory.amount - size);
        }
    }

    /** Takes a run. */
    interface Run {
        /** Takes the weight booked at a stamp. */
        void accept(long stamp, long weight);
    }
}
