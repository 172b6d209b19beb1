package dev.weir.store;

import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.algorithm.Algorithm;
import dev.weir.internal.Fits;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Snapshots of a key's state. The state is a copy, or locked by the caller. */
final class Snapshots {
    private Snapshots() {}

    static KeySnapshot of(KeyState state, long now, int maxRuns) {
        List<LimitSnapshot> limits = IntStream.range(0, state.size())
                .mapToObj(i -> limit(state, i, now, maxRuns))
                .toList();
        long blockedFor = state.blockedFor(now);
        Optional<Instant> blockedUntil =
                blockedFor > 0 ? Optional.of(instant(now).plusNanos(blockedFor)) : Optional.empty();
        return new KeySnapshot(instant(now), blockedUntil, limits);
    }

    private static LimitSnapshot limit(KeyState state, int i, long now, int maxRuns) {
        Newest runs = new Newest(maxRuns);
        Newest pending = new Newest(maxRuns);
        Algorithm algorithm = state.algorithm(i);
        algorithm.forEachRun(
                state.state(i), now, (stamp, weight, ahead) -> (ahead ? pending : runs).add(stamp, weight));
        Limit limit = algorithm.limit();
        List<Fit> fits = LongStream.of(Fits.of(limit))
                .mapToObj(permits -> new Fit(permits, after(now, algorithm.earliest(state.state(i), now, 0, permits))))
                .toList();
        boolean truncated = runs.truncated || pending.truncated;
        return new LimitSnapshot(
                limit, algorithm.remaining(state.state(i), now), runs.list(), pending.list(), truncated, fits);
    }

    private static @Nullable Instant after(long now, long wait) {
        return wait == Algorithm.NEVER ? null : instant(now).plusNanos(wait);
    }

    private static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }

    /** The newest runs, merged by stamp. */
    private static final class Newest {
        private final int max;
        private final ArrayDeque<long[]> runs = new ArrayDeque<>(); // stamp, weight
        private boolean truncated;

        Newest(int max) {
            this.max = max;
        }

        void add(long stamp, long weight) {
            long[] newest = runs.peekLast();
            if (newest != null && newest[0] == stamp) {
                newest[1] += weight;
                return;
            }
            runs.addLast(new long[] {stamp, weight});
            if (runs.size() > max) {
                runs.removeFirst();
                truncated = true;
            }
        }

        List<Run> list() {
            return runs.stream().map(run -> new Run(instant(run[0]), run[1])).toList();
        }
    }
}
