package dev.weir.replay;

import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The results of a replay with the decision on every request. Requests are numbered from 0 in the order in which the trace passes
 * them. Immutable.
 *
 * <p>Memory: one to two bits for each request and limit.
 */
public final class Recording {
    private final List<ReplayResult> results;
    private final List<Decided> decided;

    Recording(List<Decided> decided) {
        this.results = decided.stream().map(Decided::result).toList();
        this.decided = List.copyOf(decided);
    }

    /** {@return one result per limit, in the order of the limits} */
    public List<ReplayResult> results() {
        return results;
    }

    /**
     * Returns whether a limit admitted a request, at once or after a wait.
     *
     * @param limit the position of the limit, from 0
     * @param request the number of the request, from 0
     * @return whether it was admitted
     * @throws IndexOutOfBoundsException if there is no such limit or request
     */
    public boolean allowed(int limit, long request) {
        return decided.get(limit).allowed.get(request);
    }

    /**
     * Returns where the worst window of a limit is.
     *
     * @param limit the position of the limit, from 0
     * @return the first of the windows with the most permits; null if nothing was granted
     * @throws IndexOutOfBoundsException if there is no such limit
     */
    public @Nullable Moment worst(int limit) {
        return decided.get(limit).worst;
    }

    /**
     * Passes the requests on which the first two limits differ to a consumer, in the order of the trace. Reads the trace once.
     *
     * @param trace the trace that was replayed
     * @param consumer receives the requests
     * @throws IOException if the temporary file of the trace cannot be read
     * @throws IllegalStateException if the trace is closed
     */
    public void forEachDifference(Trace trace, Consumer<Difference> consumer) throws IOException {
        AtomicLong next = new AtomicLong();
        trace.forEach((timeNanos, keyId, permits) -> {
            long request = next.getAndIncrement();
            boolean first = allowed(0, request);
            if (first != allowed(1, request)) {
                consumer.accept(new Difference(timeNanos, keyId, trace.key(keyId), permits, first ? 0 : 1));
            }
        });
    }

    /**
     * A request on which two limits differ.
     *
     * @param timeNanos nanoseconds since the epoch
     * @param keyId the number of the key in the trace
     * @param key the key
     * @param permits the number of permits
     * @param allowedBy the limit that admits it, 0 or 1
     */
    public record Difference(long timeNanos, int keyId, String key, long permits, int allowedBy) {}

    /**
     * A key and a time.
     *
     * @param key the number of the key in the trace
     * @param timeNanos the time of the last grant in the window, in nanoseconds since the epoch; the end of its wait if it waited
     */
    public record Moment(int key, long timeNanos) {}

    /** What one limit decided. */
    record Decided(
            ReplayResult result, BitLog allowed, @Nullable Moment worst) {}
}
