package dev.weir.replay;

import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.replay.trace.Trace;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * A replay of a trace against limits, each on its own, as if it had protected the server that wrote the log. A leaky bucket is
 * replayed as a queue: requests that fit wait until they leave it, however long that takes.
 */
public final class Replay {
    private Replay() {}

    /**
     * Replays a trace in memory. Reads the trace once per limit.
     *
     * @param trace the requests
     * @param limits the limits, which do not affect each other
     * @param progress is notified of the number of requests replayed, summed over all limits
     * @return one result per limit, in the order of the limits, and every decision
     * @throws IOException if the temporary file of the trace cannot be read
     * @throws IllegalStateException if the trace is closed
     */
    public static Recording record(Trace trace, List<Limit> limits, LongConsumer progress) throws IOException {
        return record(trace, limits, time -> inMemory(time, Math.max(1, trace.keys())), progress);
    }

    /**
     * Replays a trace on stores of the caller. Each limit has its own store, which is created before its replay and closed after
     * it. Stores other than a {@link MemoryStore} are left clean: the keys of the trace are reset before the store is closed.
     *
     * @param trace the requests
     * @param limits the limits, which do not affect each other
     * @param stores creates a store for one limit; the time source returns the time of the log, in nanoseconds since the epoch
     * @param progress is notified of the number of requests replayed, summed over all limits
     * @return one result per limit, in the order of the limits, and every decision
     * @throws IOException if the temporary file of the trace cannot be read
     * @throws StoreException if a store fails to decide or to reset a key
     * @throws IllegalArgumentException if a store does not support a limit
     * @throws IllegalStateException if the trace is closed
     */
    public static Recording record(
            Trace trace, List<Limit> limits, Function<TimeSource, Store> stores, LongConsumer progress)
            throws IOException {
        List<Recording.Decided> decided = new ArrayList<>();
        for (Limit limit : limits) {
            long before = trace.requests() * decided.size();
            try (Playback playback = new Playback(trace, limit, stores, done -> progress.accept(before + done))) {
                trace.forEach(playback);
                decided.add(playback.decided());
            }
        }
        return new Recording(decided);
    }

    /** Creates a store that is bounded by the number of its keys alone, whatever the heap. */
    static Store inMemory(TimeSource time, int maxKeys) {
        return MemoryStore.builder()
                .timeSource(time)
                .maxKeys(maxKeys)
                .maxKeyBytes(Long.MAX_VALUE)
                .build();
    }
}
