package dev.weir.store;

import dev.weir.algorithm.Memory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A memory with a lock of its own: four bytes, taken by one compare-and-set and left by one plain write. Not reentrant, not
 * fair. A memory that has left its map is locked for good, and nobody waits for it.
 */
/*
 * A test-and-test-and-set lock with exponential back-off (Anderson, 1990; Herlihy and Shavit, The Art of Multiprocessor
 * Programming, chapter 7). It is held for some tens of nanoseconds, and handing it from one processor to another costs
 * several times that, since all that it guards must follow. So it remembers who held it last: whoever finds that another
 * thread did so a moment ago stays away for a few microseconds first, in which that one goes on; then it is the other
 * way round. Whoever has waited for much longer parks, since the owner may have lost its processor.
 */
abstract class LockedMemory extends Memory {
    private static final int FREE = 0; // in the two lowest bits; those above are the last owner's mark
    private static final int HELD = 1;
    private static final int GONE = 2;

    private static final int SPINS_FOR_ANOTHER = 128; // some 3 us, in which the other one goes on
    private static final int FIRST_SPINS = 16;
    private static final int MOST_SPINS = 128;
    private static final int SPINNING_ROUNDS = 12;
    private static final long PARK_NANOS = 50_000;

    private static final VarHandle LOCK;

    static {
        try {
            LOCK = MethodHandles.lookup().findVarHandle(LockedMemory.class, "lock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private int lock;

    LockedMemory(long now) {
        super(now);
    }

    LockedMemory(LockedMemory other) {
        super(other);
    }

    /**
     * Waits for the lock; false, and no lock, if this has gone.
     *
     * @param busy whether it was held a moment ago
     */
    final boolean lock(boolean busy) {
        int free = mark() | FREE;
        return (lock == free && LOCK.compareAndSet(this, free, free | HELD)) || lockFromAnother(busy);
    }

    /** Takes the lock if nobody has it. */
    final boolean tryLock() {
        int seen = (int) LOCK.getAcquire(this);
        return seen != GONE && (seen & HELD) == 0 && LOCK.compareAndSet(this, seen, mark() | HELD);
    }

    private static int mark() {
        return (int) Thread.currentThread().getId() << 2;
    }

    private boolean lockFromAnother(boolean busy) {
        if (busy) {
            spin(SPINS_FOR_ANOTHER);
        }
        int spins = FIRST_SPINS;
        for (int round = 0; ; round++) {
            int seen = (int) LOCK.getAcquire(this);
            if (seen == GONE) {
                return false;
            }
            if ((seen & HELD) == 0 && LOCK.compareAndSet(this, seen, mark() | HELD)) {
                return true;
            }
            if (round < SPINNING_ROUNDS) {
                spin(spins);
                spins = Math.min(MOST_SPINS, 2 * spins);
            } else {
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    /** Lets go of the lock, unless this has gone. */
    final void unlock() {
        int held = lock;
        if (held != GONE) {
            LOCK.setRelease(this, held & ~HELD);
        }
    }

    /** Leaves the lock locked for good; whoever waits for it is told. */
    final void goForGood() {
        LOCK.setRelease(this, GONE);
    }
}
