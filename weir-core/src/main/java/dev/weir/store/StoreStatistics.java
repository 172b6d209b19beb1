package dev.weir.store;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a store did since it was created and what it holds now, for metrics: a snapshot. Figures that a store does not have are
 * zero or empty. Immutable and thread-safe.
 *
 * @param keys the number of keys that are counted now; empty if the store does not know it
 * @param utilization the share of the store's bounds that these keys use, 0 to 1, or more if a full store has blocked other keys; empty
 *     if it has no bounds of its own
 * @param callsInFlight the number of requests that wait for the store now
 * @param roundTrips the number of batches of requests that the store answered; zero for a store in this process
 * @param roundTripNanos the sum of the times of all round trips, in nanoseconds
 * @param longestRoundTripNanos the longest round trip of the last one to two minutes, in nanoseconds
 * @param requests the number of requests that were answered in these round trips
 */
public record StoreStatistics(
        OptionalInt keys,
        OptionalDouble utilization,
        int callsInFlight,
        long roundTrips,
        long roundTripNanos,
        long longestRoundTripNanos,
        long requests) {
    /** The statistics of a store that has none. */
    public static final StoreStatistics NONE =
            new StoreStatistics(OptionalInt.empty(), OptionalDouble.empty(), 0, 0, 0, 0, 0);
}
