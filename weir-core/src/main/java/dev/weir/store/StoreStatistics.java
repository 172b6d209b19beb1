package dev.weir.store;

import java.util.OptionalInt;

/**
 * What a store did since it was created and what it holds now, for metrics: a snapshot. Figures that a store does not have are
 * zero or empty. Immutable and thread-safe.
 */
public final class StoreStatistics {
    /** The statistics of a store that has none. */
    public static final StoreStatistics NONE = new StoreStatistics(-1, 0, 0, 0, 0, 0);

    private final int keys;
    private final int callsInFlight;
    private final long roundTrips;
    private final long roundTripNanos;
    private final long longestRoundTripNanos;
    private final long requests;

    private StoreStatistics(
            int keys,
            int callsInFlight,
            long roundTrips,
            long roundTripNanos,
            long longestRoundTripNanos,
            long requests) {
        this.keys = keys;
        this.callsInFlight = callsInFlight;
        this.roundTrips = roundTrips;
        this.roundTripNanos = roundTripNanos;
        this.longestRoundTripNanos = longestRoundTripNanos;
        this.requests = requests;
    }

    /**
     * Returns these statistics with a number of keys.
     *
     * @param keys the number of keys that have a state of their own, zero or more
     * @return the statistics
     */
    public StoreStatistics withKeys(int keys) {
        return new StoreStatistics(keys, callsInFlight, roundTrips, roundTripNanos, longestRoundTripNanos, requests);
    }

    /**
     * Returns these statistics with a number of calls in flight.
     *
     * @param callsInFlight the number of requests that wait for the store
     * @return the statistics
     */
    public StoreStatistics withCallsInFlight(int callsInFlight) {
        return new StoreStatistics(keys, callsInFlight, roundTrips, roundTripNanos, longestRoundTripNanos, requests);
    }

    /**
     * Returns these statistics with round trips.
     *
     * @param roundTrips the number of batches of requests that were answered
     * @param roundTripNanos the sum of their times in nanoseconds
     * @param longestRoundTripNanos the longest of the last one to two minutes in nanoseconds
     * @param requests the sum of the requests in these batches
     * @return the statistics
     */
    public StoreStatistics withRoundTrips(
            long roundTrips, long roundTripNanos, long longestRoundTripNanos, long requests) {
        return new StoreStatistics(keys, callsInFlight, roundTrips, roundTripNanos, longestRoundTripNanos, requests);
    }

    /** {@return the number of keys that have a state of their own now; empty if the store does not know it} */
    public OptionalInt keys() {
        return keys < 0 ? OptionalInt.empty() : OptionalInt.of(keys);
    }

    /** {@return the number of requests that wait for the store now} */
    public int callsInFlight() {
        return callsInFlight;
    }

    /** {@return the number of batches of requests that the store answered; zero for a store in this process} */
    public long roundTrips() {
        return roundTrips;
    }

    /** {@return the sum of the times of all round trips, in nanoseconds} */
    public long roundTripNanos() {
        return roundTripNanos;
    }

    /** {@return the longest round trip of the last one to two minutes, in nanoseconds} */
    public long longestRoundTripNanos() {
        return longestRoundTripNanos;
    }

    /** {@return the number of requests that were answered in these round trips} */
    public long requests() {
        return requests;
    }

    @Override
    public String toString() {
        return "StoreStatistics[keys=" + (keys < 0 ? "unknown" : keys) + ", callsInFlight=" + callsInFlight
                + ", roundTrips="
                + roundTrips + ", roundTripNanos=" + roundTripNanos + ", longestRoundTripNanos=" + longestRoundTripNanos
                + ", requests=" + requests + "]";
    }
}
