package dev.weir.algorithm;

/**
 * The ticks of a log: which stamp a grant gets, and from when on it counts. Immutable.
 *
 * <p>A grant is recorded at the end of its tick, so that a window never contains more grants than are counted. The classic
 * estimate of a sliding window records it at the start instead.
 *
 * @param length the length of a tick in nanoseconds
 * @param atStart whether grants are recorded at the start of their tick
 */
record Ticks(long length, boolean atStart) {

    /** Returns the stamp of a grant at once. */
    long stamp(long now) {
        return atStart ? now - Math.floorMod(now, length) : end(now);
    }

    /** Returns the number of ticks from a stamp to that of a grant at once; takes less time than {@link #stamp}. */
    long between(long stamp, long now) {
        return atStart ? Math.floorDiv(now - stamp, length) : -Math.floorDiv(stamp - now, length);
    }

    /** Returns the first instant at which a grant at once gets a later stamp than this one. */
    long next(long stamp) {
        return atStart ? stamp + length : stamp + 1;
    }

    /** Returns the latest stamp that counts at an instant. */
    long visible(long instant) {
        return atStart ? instant : end(instant);
    }

    /** Returns the first instant at which a stamp counts. */
    long firstSeeing(long stamp) {
        return atStart ? stamp : end(stamp) - length + 1;
    }

    private long end(long instant) {
        return length == 1 ? instant : instant + Math.floorMod(-instant, length);
    }
}
