package dev.weir.store;

import dev.weir.algorithm.LimitState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A limit state with a lock of its own: four bytes, acquired by one compare-and-set and released by one write. Not reentrant, not
 * fair. A retired state stays locked, and no thread waits for it.
 */
/*
 * A test-and-test-and-set lock with exponential back-off (Anderson, 1990; Herlihy and Shavit, The Art of Multiprocessor
 * Programming, chapter 7). It is held for some tens of nanoseconds; passing it to another processor costs several times that,
 * because the guarded data must follow. So the lock remembers its latest owner, and a thread that finds that another one owned it
 * a moment ago spins for a few microseconds first. A thread that has waited much longer parks, because the owner may not be
 * running.
 */
abstract class LockedState extends LimitState {
    private static final int HELD = 1; // the lowest bit; those from the third on identify the latest owner
    private static final int RETIRED = HELD | 2; // held by nobody, for good

    /** How long a thread spins after another one decided a moment ago. */
    static final int SPIN_NANOS_IF_BUSY = 3_500;

    /** How long a thread spins before it tries again. */
    static final int FIRST_SPIN_NANOS = 200;

    private static final int MAX_SPIN_NANOS = 1_800;
    private static final int SPINNING_ROUNDS = 12;
    private static final long PARK_NANOS = 50_000;

    private static final VarHandle LOCK = handle(MethodHandles.lookup(), "lock", int.class);

    private int lock;

    LockedState(long now) {
        super(now);
    }

    /** Returns the handle of a field of the class that looks it up. */
    static VarHandle handle(MethodHandles.Lookup lookup, String field, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Acquires the lock. Returns false, without the lock, if this state is retired.
     *
     * @param busy whether it was held a moment ago
     */
    final boolean lock(boolean busy) {
        int free = owner();
        return (lock == free && LOCK.compareAndSet(this, free, free | HELD)) || lockFromAnother(busy);
    }

    /** Acquires the lock if it is free. */
    final boolean tryLock() {
        int seen = (int) LOCK.getAcquire(this);
        return (seen & HELD) == 0 && LOCK.compareAndSet(this, seen, owner() | HELD);
    }

    private static int owner() {
        return (int) Thread.currentThread().getId() << 2;
    }

    private boolean lockFromAnother(boolean busy) {
        if (busy) {
            spin(SPIN_NANOS_IF_BUSY);
        }
        int nanos = FIRST_SPIN_NANOS;
        boolean interrupted = false;
        boolean locked = tryLock();
        for (int round = 0; !locked && (int) LOCK.getAcquire(this) != RETIRED; round++) {
            if (round < SPINNING_ROUNDS) {
                spin(nanos);
                nanos = Math.min(MAX_SPIN_NANOS, 2 * nanos);
            } else {
                // An interrupted thread does not park, and a virtual one would keep the owner from running.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(PARK_NANOS);
            }
            locked = tryLock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return locked;
    }

    /** Spins for at least the given time. The hint to the processor takes 14 ns on one model and 34 on another. */
    static void spin(int nanos) {
        long began = System.nanoTime();
        do {
            Thread.onSpinWait();
        } while (System.nanoTime() - began < nanos);
    }

    /** Releases the lock, unless this state is retired. */
    final void unlock() {
        int held = lock;
        if (held != RETIRED) {
            LOCK.setRelease(this, held & ~HELD);
        }
    }

    /** Releases the lock if this thread has it: after a step that could not, because the stack is at its end. */
    final void unlockIfOwner() {
        if (lock == (owner() | HELD)) {
            unlock();
        }
    }

    /** Retires this state: it stays locked, and {@link #lock} returns false from now on. */
    final void retire() {
        LOCK.setRelease(this, RETIRED);
    }
}
