package dev.weir.redis;

import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.internal.Fits;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The description of a key, as inspect.lua writes it. */
final class SnapshotReply {
    private SnapshotReply() {}

    static KeySnapshot read(Limits limits, byte[] bytes) {
        ByteBuffer packed = ByteBuffer.wrap(bytes);
        Instant now = instant(packed.getLong());
        long block = packed.getLong();
        Optional<Instant> blockedUntil = block == 0 ? Optional.empty() : Optional.of(instant(block));
        List<LimitSnapshot> snapshots =
                limits.list().stream().map(limit -> limit(limit, now, packed)).toList();
        return new KeySnapshot(now, blockedUntil, snapshots);
    }

    private static LimitSnapshot limit(Limit limit, Instant now, ByteBuffer packed) {
        long remaining = packed.getLong();
        boolean truncated = packed.get() == 1;
        List<Fit> fits = LongStream.of(Fits.of(limit))
                .mapToObj(permits -> new Fit(permits, after(now, packed.getLong())))
                .toList();
        List<Run> runs = runs(packed);
        List<Run> pending = runs(packed);
        return new LimitSnapshot(limit, remaining < 0 ? Long.MAX_VALUE : remaining, runs, pending, truncated, fits);
    }

    private static List<Run> runs(ByteBuffer packed) {
        ArrayDeque<Run> oldestFirst = new ArrayDeque<>();
        for (int count = packed.getInt(); count > 0; count--) {
            Instant at = instant(packed.getLong());
            oldestFirst.addFirst(new Run(at, packed.getLong()));
        }
        return List.copyOf(oldestFirst);
    }

    private static @Nullable Instant after(Instant now, long micros) {
        return micros < 0 ? null : now.plus(micros, ChronoUnit.MICROS);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
