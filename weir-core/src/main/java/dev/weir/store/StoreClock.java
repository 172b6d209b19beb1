package dev.weir.store;

import dev.weir.Clock;

/**
 * The store's time: a clock, kept from stepping back. A reading slightly behind what a key has seen is the key's to clamp.
 * One that is a second behind the latest reading stands still; and when it has gone on for a second, and nobody has read the
 * old time meanwhile, the clock is taken to have stepped back, and its time is shifted forward for good by as much. So a
 * thread that dawdles after reading, or whose clock is behind that of others, is not taken for a step.
 */
/*
 * The latest reading is kept only to half a second, so that threads seldom write it. The races on it and on `suspected`
 * are benign: a write that is lost is made good by the next reading.
 */
final class StoreClock {
    private static final long TOLERANCE_NANOS = 1_000_000_000; // 1 s
    private static final long GRAIN_NANOS = TOLERANCE_NANOS / 2;

    private final Clock clock;
    private volatile boolean stepped; // written before shift, read after it
    private volatile long steppedAt; // the time after the last step; written before `stepped`
    private volatile long shift;
    private volatile long latest;
    private volatile boolean suspected; // of having stepped back
    private long suspectedSince; // on the clock that may have stepped back; guarded by this

    StoreClock(Clock clock) {
        this.clock = clock;
        this.latest = clock.nanos();
    }

    long now() {
        long known = shift; // read before the clock: an old shift makes a new reading late at most
        long reading = clock.nanos() + known;
        long ahead = reading - latest;
        if (ahead < -TOLERANCE_NANOS) {
            return behind(reading);
        }
        if (ahead > GRAIN_NANOS) {
            latest = reading;
        }
        if (suspected) {
            suspected = false;
        }
        return reading;
    }

    /** Whether the clock has been found to have stepped back since that time. */
    boolean steppedSince(long time) {
        return stepped && time - steppedAt < 0;
    }

    private synchronized long behind(long reading) {
        if (!suspected || reading - suspectedSince < 0) {
            suspected = true;
            suspectedSince = reading;
        }
        long since = reading - suspectedSince;
        if (since <= TOLERANCE_NANOS) {
            return latest;
        }
        suspected = false;
        steppedAt = latest + since;
        stepped = true;
        shift += latest - suspectedSince;
        return latest + since;
    }
}
