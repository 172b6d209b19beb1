package dev.weir.redis;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that stands still while this process is paused: by the limit of a container's processor time, garbage collection,
 * a debugger, or suspension of the machine. Otherwise a pause would look like a server that does not answer, though the answer is
 * there to be read. It knows that from a thread that announces its sleep and is late: more than {@link #LATE_NANOS} are a pause.
 * Thread-safe.
 */
final class ProcessClock {
    /** How much of a pause counts as time, since threads wake a little late on any machine. */
    static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private volatile Reading latest; // written under the lock
    private volatile boolean changing; // also set after an Error in the middle of a change

    /**
     * A reading of both clocks.
     *
     * @param realNanos that of {@link System#nanoTime}
     * @param sleepNanos how long the thread announced to sleep from then on
     * @param heldNanos how much of the time from then on does not count
     */
    private record Reading(long realNanos, long nanos, long sleepNanos, long heldNanos) {
        Reading next(long now, long sleep) {
            long passed = Math.max(0, now - realNanos); // another thread may have read a later time meanwhile
            long counted = Math.min(passed, sleepNanos + LATE_NANOS);
            long held = Math.min(counted, heldNanos);
            return new Reading(realNanos + passed, nanos + counted - held, sleep, heldNanos - held);
        }

        /** Returns the next reading, which leaves the rest of the announced sleep. */
        Reading held(long now, long most) {
            Reading next = next(now, 0);
            long slept = next.realNanos - realNanos;
            return new Reading(next.realNanos, next.nanos, Math.max(0, sleepNanos - slept), most);
        }
    }

    ProcessClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.latest = new Reading(nanoTime.getAsLong(), 0, 0, 0);
    }

    /** Returns the nanoseconds since this clock was made, without pauses. No thread sees it go backwards. */
    @SuppressWarnings("ReferenceEquality") // a later reading is another one, whatever it reads
    long nanos() {
        Reading known = latest;
        long nanos = known.next(nanoTime.getAsLong(), 0).nanos;
        return !changing && known == latest ? nanos : nanosBetweenChanges();
    }

    /** Reads the time again, while no thread changes how it counts: it may have been read in a pause, or in a change. */
    private synchronized long nanosBetweenChanges() {
        return latest.next(nanoTime.getAsLong(), 0).nanos;
    }

    /**
     * Announces that the thread which drives this clock sleeps. What passes until the next announcement, beyond this and {@link
     * #LATE_NANOS}, is a pause.
     */
    synchronized void sleeping(long nanos) {
        changing = true;
        latest = latest.next(nanoTime.getAsLong(), nanos);
        changing = false;
    }

    /** Does not count the next nanoseconds in which this process is not paused, or only those until it is called with zero. */
    synchronized void hold(long nanos) {
        changing = true;
        latest = latest.held(nanoTime.getAsLong(), nanos);
        changing = false;
    }
}
