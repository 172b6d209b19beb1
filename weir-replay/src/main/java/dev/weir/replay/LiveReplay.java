package dev.weir.replay;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.format.RequestListener;
import dev.weir.replay.trace.SkippedLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A replay of requests against limits while a log is written, each limit on its own. A leaky bucket is replayed as a queue.
 *
 * <p>Requests are decided at the times in the log; one that is dated before an earlier one, at the time of that one. Memory is
 * bounded by the given number of keys, each with its text of at most 1 KiB: while that many are active, new ones are denied and
 * counted as denied by the limit. The counts of the most denied keys are exact while at most 1,000 keys have been denied, and never
 * too low.
 *
 * <p>Thread-safe: one thread may pass requests while another one takes snapshots.
 */
public final class LiveReplay implements RequestListener, AutoCloseable {
    private static final int DENIED_KEYS = 1_000; // counted for each limit
    private static final int TOP = 10; // in a snapshot

    private final List<Counts> limits;
    private long requests;
    private long late;
    private long skipped;
    private @Nullable SkippedLine lastSkipped;
    private long latest = Long.MIN_VALUE;

    /**
     * Creates a replay.
     *
     * @param limits the limits
     * @param maxKeys the largest number of keys whose state is kept for each limit, at least 1; the heap must have room for them
     */
    public LiveReplay(List<Limit> limits, int maxKeys) {
        this.limits = limits.stream()
                .map(limit -> new Counts(new Trial(limit, time -> Replay.inMemory(time, maxKeys))))
                .toList();
    }

    @Override
    public synchronized void request(long timeNanos, String key, long permits) {
        late += timeNanos < latest ? 1 : 0;
        latest = Math.max(latest, timeNanos);
        requests++;
        limits.forEach(limit -> limit.request(latest, key, permits));
    }

    @Override
    public synchronized void skipped(SkippedLine line) {
        skipped++;
        lastSkipped = line;
    }

    /** {@return the counts so far} */
    public synchronized Snapshot snapshot() {
        return new Snapshot(
                requests,
                late,
                skipped,
                lastSkipped,
                limits.stream().map(Counts::counted).toList());
    }

    /** Releases the states of the limits. */
    @Override
    public synchronized void close() {
        limits.forEach(limit -> limit.trial.close());
    }

    /**
     * The counts at one instant. Immutable.
     *
     * @param requests the number of requests
     * @param late those of them that were dated before an earlier one, and decided at its time
     * @param skipped the number of lines that were skipped
     * @param lastSkipped the latest of them; null if there was none
     * @param limits the counts of each limit, in the order of the limits
     */
    public record Snapshot(
            long requests,
            long late,
            long skipped,
            @Nullable SkippedLine lastSkipped,
            List<Counted> limits) {
        /**
         * Copies the list.
         *
         * @param requests the number of requests
         * @param late those of them that were dated before an earlier one
         * @param skipped the number of lines that were skipped
         * @param lastSkipped the latest of them; null if there was none
         * @param limits the counts of each limit
         */
        public Snapshot {
            limits = List.copyOf(limits);
        }
    }

    /**
     * What one limit did. Immutable.
     *
     * @param limit the limit
     * @param allowed the number of requests admitted, at once or after a wait
     * @param denied the number of requests denied
     * @param topDenied the keys with the most denied requests, at most ten, most denied first and then by key
     */
    public record Counted(Limit limit, long allowed, long denied, List<DeniedKey> topDenied) {
        /**
         * Copies the list.
         *
         * @param limit the limit
         * @param allowed the number of requests admitted
         * @param denied the number of requests denied
         * @param topDenied the keys with the most denied requests
         */
        public Counted {
            topDenied = List.copyOf(topDenied);
        }
    }

    /** A limit and its counts. */
    private static final class Counts {
        private final Trial trial;
        private final FrequentKeys top = new FrequentKeys(DENIED_KEYS);
        private long allowed;
        private long denied;

        Counts(Trial trial) {
            this.trial = trial;
        }

        void request(long timeNanos, String key, long permits) {
            if (trial.decide(timeNanos, key, permits).allowed()) {
                allowed++;
            } else {
                denied++;
                top.add(key);
            }
        }

        Counted counted() {
            return new Counted(trial.limit(), allowed, denied, top.top(TOP));
        }
    }
}
