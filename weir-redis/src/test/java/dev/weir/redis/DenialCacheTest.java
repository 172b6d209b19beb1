package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DenialCacheTest {
    private static final Limits LIMITS = Limits.parse("1/1h");

    private final DenialCache cache = new DenialCache(Duration.ofHours(1).toNanos(), new Timer());

    private static Request request(String limiter, String key) {
        return Request.of(limiter, LIMITS, key, 1);
    }

    static Batch batch(Request request) {
        return batch(request, 0);
    }

    private static Batch batch(Request request, long maxWaitNanos) {
        PendingRequest pending = new PendingRequest(0, List.of(request), maxWaitNanos, false, 0, 1);
        return new Batch(0, List.of(List.of(pending)), System.nanoTime());
    }

    static List<Answer> denied(long retryAfterNanos) {
        Decision decision = Decision.denied(LIMITS.list().get(0), 0, retryAfterNanos, retryAfterNanos, 1);
        return List.of(new Answer(decision, Long.MAX_VALUE, new byte[0], ""));
    }

    private static Answer granted() {
        Decision decision = Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1);
        return new Answer(decision, Long.MAX_VALUE, new byte[0], "");
    }

    private Decision cached(Request request) {
        return cache.denial(request.limiter(), LIMITS, request.key(), 1, 0);
    }

    @Test
    void denials_moreThanTheBound_theOldestAreDropped() {
        for (int i = 0; i < 70_000; i++) {
            cache.learn(
                    batch(request("limiter " + i, "key")),
                    denied(Duration.ofHours(1).toNanos()));
        }
        assertThat(cache.size()).isEqualTo(65_536);
        assertThat(cached(request("limiter 69999", "key"))).isNotNull();
        assertThat(cached(request("limiter 0", "key"))).isNull();
    }

    /** A key with many requests in flight must not displace the denials of others. */
    @Test
    void denials_manyOfOneKey_displaceNoOthers() {
        long hour = Duration.ofHours(1).toNanos();
        cache.learn(batch(request("limiter", "other")), denied(hour));
        for (int i = 0; i < 70_000; i++) {
            cache.learn(batch(request("limiter", "key")), denied(hour));
        }
        assertThat(cached(request("limiter", "other"))).isNotNull();
    }

    /** Its timer ends when nothing is left to be removed. */
    @Test
    void close_denialsAreDiscarded_andNoneIsCached() {
        long hour = Duration.ofHours(1).toNanos();
        cache.learn(batch(request("limiter", "key")), denied(hour));
        assertThat(cached(request("limiter", "key"))).isNotNull();
        Batch inFlight = batch(request("limiter", "other"));

        cache.close();
        cache.learn(inFlight, denied(hour));

        assertThat(cache.size()).isZero();
    }

    @Test
    void denials_expired_areRemovedWithTheirNames() {
        for (int i = 0; i < 1_000; i++) {
            cache.learn(
                    batch(request("limiter " + i, "key")),
                    denied(Duration.ofMillis(i % 2 == 0 ? 20 : 250).toNanos()));
        }
        Await.until("an empty cache", () -> cache.size() == 0);
    }

    /** The retry-after of a full queue ends when the queue has room, not when a request without a wait is allowed. */
    @Test
    void denied_althoughMaxWaitSuffices_isNotCached() {
        Request request = request("limiter", "key");
        long hour = Duration.ofHours(1).toNanos();
        cache.learn(batch(request, hour), denied(hour));
        assertThat(cached(request)).isNull();

        cache.learn(batch(request, hour - 1), denied(hour));
        assertThat(cached(request)).isNotNull();
    }

    @Test
    void granted_afterADenial_discardsIt() {
        Request request = request("limiter", "key");
        cache.learn(batch(request), denied(Duration.ofHours(1).toNanos()));
        cache.learn(batch(request("limiter", "other")), List.of(granted()));
        assertThat(cached(request)).isNotNull();

        cache.learn(batch(request), List.of(granted()));
        assertThat(cached(request)).isNull();
    }

    @Test
    void learn_severalKeys_eachFromItsOwnAnswer() {
        long hour = Duration.ofHours(1).toNanos();
        List<List<PendingRequest>> groups = new ArrayList<>();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            groups.addAll(batch(request("limiter", "key " + i)).groups());
            answers.addAll(i == 1 ? List.of(granted()) : denied(hour + i));
        }
        cache.learn(new Batch(0, groups, System.nanoTime()), answers);
        assertThat(cached(request("limiter", "key 0")).resetAfterNanos()).isLessThanOrEqualTo(hour);
        assertThat(cached(request("limiter", "key 1"))).isNull();
        assertThat(cached(request("limiter", "key 2"))).isNotNull();
    }

    @Test
    void invalidated_whileTheScriptIsInFlight_isNotCached() {
        Request request = request("limiter", "key");
        Batch inFlight = batch(request);
        cache.invalidate(request);
        cache.learn(inFlight, denied(Duration.ofHours(1).toNanos()));
        assertThat(cached(request)).isNull();

        cache.learn(batch(request), denied(Duration.ofHours(1).toNanos()));
        assertThat(cached(request)).isNotNull();
        cache.invalidate(request);
        assertThat(cached(request)).isNull();
    }
}
