package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Snapshots of a key. */
class KeySnapshotTest {
    @Test
    void inspect_longestBlock_endsInTheFuture() {
        RateLimiter limiter = RateLimiter.of(Limit.parse("1/1s"));
        limiter.block("key", Duration.ofNanos(Long.MAX_VALUE));
        KeySnapshot snapshot = limiter.inspect("key");
        assertThat(snapshot.blockedUntil().orElseThrow()).isAfter(snapshot.time());
    }

    @Test
    void snapshot_ofListsThatChangeLater_doesNotChange() {
        List<KeySnapshot.Run> runs = new ArrayList<>();
        List<KeySnapshot.LimitSnapshot> limits = new ArrayList<>();
        limits.add(new KeySnapshot.LimitSnapshot(Limit.unlimited(), 1, runs, runs, false, List.of()));
        KeySnapshot snapshot = new KeySnapshot(Instant.EPOCH, Optional.empty(), limits);
        runs.add(new KeySnapshot.Run(Instant.EPOCH, 1));

        assertThat(snapshot.limits().get(0).runs()).isEmpty();
        limits.clear();
        assertThat(snapshot.limits()).hasSize(1);
    }
}
