package dev.weir.replay;

import dev.weir.Limit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Plays a trace against limits, each by itself, as if it had stood before the server that wrote the log. */
public final class Replay {
    private Replay() {}

    /**
     * What each limit would have done, in the order given. Reads the trace once per limit.
     *
     * @param progress hears the requests played, summed over all limits
     */
    public static List<ReplayResult> run(Trace trace, List<Limit> limits, ProgressListener progress)
            throws IOException {
        List<ReplayResult> results = new ArrayList<>();
        for (Limit limit : limits) {
            long before = trace.requests() * results.size();
            Playback playback = new Playback(trace, limit, done -> progress.advanced(before + done));
            trace.forEach(playback);
            results.add(playback.result());
        }
        return List.copyOf(results);
    }
}
