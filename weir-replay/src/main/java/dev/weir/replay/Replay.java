package dev.weir.replay;

import dev.weir.Clock;
import dev.weir.Limit;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Plays a trace against limits, each by itself, as if it had protected the server that wrote the log. */
public final class Replay {
    private Replay() {}

    /**
     * Returns what each limit would have done, in memory, in the order given. Reads the trace once per limit.
     *
     * @param progress is notified of the requests played, summed over all limits
     */
    public static List<ReplayResult> run(Trace trace, List<Limit> limits, ProgressListener progress)
            throws IOException {
        return run(trace, limits, clock -> inMemory(trace, clock), progress);
    }

    /**
     * Returns what each limit would have done on a store of its own, made on the clock of the log and closed in the end; the keys of the
     * trace are reset before that.
     *
     * @param progress is notified of the requests played, summed over all limits
     * @throws StoreException if a store failed to decide
     */
    public static List<ReplayResult> run(
            Trace trace, List<Limit> limits, Function<Clock, Store> stores, ProgressListener progress)
            throws IOException {
        List<ReplayResult> results = new ArrayList<>();
        for (Limit limit : limits) {
            long before = trace.requests() * results.size();
            try (Playback playback = new Playback(trace, limit, stores, done -> progress.advanced(before + done))) {
                trace.forEach(playback);
                results.add(playback.result());
            }
        }
        return List.copyOf(results);
    }

    private static Store inMemory(Trace trace, Clock clock) {
        return MemoryStore.builder().clock(clock).maxKeys(trace.keys()).build();
    }
}
