package dev.weir.redis;

import dev.weir.store.StoreStatistics;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The sums of all round trips, and the longest of the last one to two minutes. Not thread-safe. */
final class RoundTripStatistics {
    private final Extreme longest = new Extreme(TimeUnit.MINUTES.toNanos(1)); // of negative times
    private long count;
    private long nanos;
    private long requests;

    /** Records the answer to a batch. */
    void record(Batch batch, long now) {
        long time = now - batch.sentAt();
        longest.record(-time, now);
        count++;
        nanos += time;
        requests += batch.size();
    }

    /** Returns the sums and the number of requests in flight. */
    StoreStatistics of(int inFlight, long now) {
        longest.turn(now);
        return new StoreStatistics(
                OptionalInt.empty(), OptionalDouble.empty(), inFlight, count, nanos, -longest.get(), requests);
    }
}
