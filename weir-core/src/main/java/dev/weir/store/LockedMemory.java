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
 * Programming, chapter 7). Who finds it taken stays away for a while, so that the owner's cache line stays with the owner:
 * two threads in turns cost several times what one after the other does. A lock is held for some tens of nanoseconds;
 * whoever has waited for much longer than that parks, since the owner may have lost its processor.
 */
abstract class LockedMemory extends Memory {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int GONE = 2;
    private static final int FIRST_SPINS = 8;
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

    /** Waits for the lock; false, and no lock, if this has gone. */
    final boolean lock() {
        return (lock == FREE && LOCK.compareAndSet(this, FREE, HELD)) || lockInTurn();
    }

    private boolean lockInTurn() {
        int spins = FIRST_SPINS;
        for (int round = 0; ; round++) {
            int seen = (int) LOCK.getAcquire(this);
            if (seen == GONE) {
                return false;
            }
            if (seen == FREE && LOCK.compareAndSet(this, FREE, HELD)) {
                return true;
            }
            if (round < SPINNING_ROUNDS) {
                for (int i = 0; i < spins; i++) {
                    Thread.onSpinWait();
                }
                spins = Math.min(MOST_SPINS, 2 * spins);
            } else {
                LockSupport.parkNanos(PARK_NANOS);
            }
        }
    }

    /** Lets go of the lock, unless this has gone. */
    final void unlock() {
        if (lock == HELD) {
            LOCK.setRelease(this, FREE);
        }
    }

    /** Leaves the lock locked for good; whoever waits for it is told. */
    final void goForGood() {
        LOCK.setRelease(this, GONE);
    }
}
