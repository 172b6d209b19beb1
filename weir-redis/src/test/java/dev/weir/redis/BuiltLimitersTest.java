package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.testing.Await;
import dev.weir.testing.RedisServer;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks when a limiter on Redis is built, its time source, and keys of any text. */
final class BuiltLimitersTest {
    private static final String TOO_LARGE = "10/26500d";
    private static final List<String> ODD_KEYS =
            List.of("?", "\uD800", "\uDC00", "\uDC00\uD800", "\uD83D\uDE00", "a\uD800", "\uD800b", "\uFFFD");

    private static RedisServer server;
    private static RedisStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        store = RedisStore.builder(server.uri()).timeout(Duration.ofSeconds(10)).connect();
    }

    @AfterAll
    static void stop() {
        store.close();
        server.close();
    }

    @BeforeEach
    void flush() {
        server.command("FLUSHALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {TOO_LARGE, "4503599627370496/1h count=attempts", "5/17400d"})
    void build_limitsTooLargeForRedis_isRejected(String limit) {
        assertThatThrownBy(() -> RateLimiter.builder()
                        .name("large")
                        .limit(limit)
                        .store(store)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("too large for Redis");
    }

    @Test
    void attempts_ofTheLargestLimit_areDenied() {
        RateLimiter limiter = RateLimiter.builder()
                .name("attempts")
                .limit("4503599627370495/1h count=attempts")
                .whenStoreFails(FailurePolicy.closed())
                .store(store)
                .build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        for (int i = 0; i < 20; i++) {
            Decision denied = limiter.tryAcquire("key", 4_503_599_627_370_495L);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.degraded()).isFalse();
        }
    }

    /** A window that started before the epoch would contain the newest run of an empty log. */
    @ParameterizedTest
    @ValueSource(strings = {"5/17300d", "sliding-window 5/17300d buckets=1 estimate=classic"})
    void longestWindow_unusedKey_isEmpty(String limit) {
        RateLimiter limiter =
                RateLimiter.builder().name("long").limit(limit).store(store).build();
        assertThat(limiter.peek("key").resetAfter()).isZero();
        assertThat(limiter.tryAcquire("key", 6).resetAfter()).isZero();
        assertThat(limiter.tryAcquire("key", 5).allowed()).isTrue();
        assertThat(limiter.tryAcquire("key").retryAfter()).isPositive();
    }

    @Test
    void changeLimits_tooLargeForRedis_keepsTheOldLimits() {
        RateLimiter limiter =
                RateLimiter.builder().name("change").limit("2/1h").store(store).build();
        assertThatThrownBy(() -> limiter.changeLimits(Limits.parse("2/1h", TOO_LARGE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
    }

    @Test
    void limitsByKey_tooLargeForRedis_failTheRequest() {
        RateLimiter limiter = RateLimiter.builder()
                .name("by-key")
                .limitsByKey(key -> Limits.parse(key.equals("large") ? TOO_LARGE : "2/1h"))
                .store(store)
                .build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        assertThatThrownBy(() -> limiter.tryAcquire("large")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limiter.peek("large")).isInstanceOf(IllegalArgumentException.class);
        CompletableFuture<?> async = limiter.reserveAsync("large", Duration.ZERO);
        assertThatThrownBy(async::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limiter.inspect("large")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void build_noName_isRejected() {
        assertThatThrownBy(
                        () -> RateLimiter.builder().limit("5/1m").store(store).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
    }

    @Test
    void build_anotherTimeSource_isRejected() {
        assertThat(store.timeSource()).isSameAs(TimeSource.system());
        assertThatThrownBy(() -> RateLimiter.builder()
                        .name("timed")
                        .limit("5/1m")
                        .store(store)
                        .timeSource(new ManualTimeSource())
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("timeSource");
    }

    @Test
    void timeSource_goesBackwards_timeDoesNotAdvance() {
        AtomicLong now = new AtomicLong(1_700_000_000_000_000_000L);
        TimeSource source = now::get;
        try (RedisStore timed = RedisStore.builder(server.uri())
                .timeout(Duration.ofSeconds(10))
                .timeSource(source)
                .connect()) {
            assertThat(timed.timeSource()).isSameAs(source);
            RateLimiter limiter = RateLimiter.builder()
                    .name("backwards")
                    .limit("1/10s")
                    .store(timed)
                    .build();
            assertThat(limiter.tryAcquire("key").timeNanos()).isEqualTo(now.get());
            now.addAndGet(-Duration.ofDays(1).toNanos());
            assertThat(limiter.tryAcquire("key").retryAfter()).isEqualTo(Duration.ofSeconds(10));
            assertThat(limiter.tryAcquire("other").timeNanos()).isEqualTo(1_700_000_000_000_000_000L);
            now.addAndGet(Duration.ofDays(1).toNanos() + Duration.ofSeconds(10).toNanos());
            assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void key_unpairedSurrogates_stayDistinct(boolean hashed) {
        RedisStore.Builder settings = RedisStore.builder(server.uri()).timeout(Duration.ofSeconds(10));
        try (RedisStore keys = (hashed ? settings.hashKeys("secret") : settings).connect()) {
            Limits limits = Limits.parse("1/1h");
            for (String key : ODD_KEYS) {
                assertThat(keys.decide("test", limits, key, 1).allowed()).isTrue();
                assertThat(keys.decide("test", limits, key, 1).allowed()).isFalse();
            }
            assertThat(server.command("DBSIZE")).isEqualTo((long) ODD_KEYS.size());
        }
    }

    @Test
    void reserveAsync_futureCancelled_permitsAreRefunded() {
        try (Proxy proxy = new Proxy(server);
                RedisStore slow = RedisStore.builder(proxy.uri())
                        .timeout(Duration.ofSeconds(10))
                        .connect()) {
            Request request = Request.of("cancelled", Limits.parse("5/1h"), "key", 2);
            proxy.hold();
            CompletableFuture<?> reserved = slow.reserveAsync(List.of(request), 0);
            Await.until("the grant", () -> Blocking.peek(store, request).remaining() == 3);
            reserved.cancel(false);
            proxy.release();
            Await.until("the refund", () -> Blocking.peek(store, request).remaining() == 5);
        }
    }

    @Test
    void uri_null_isRejected() {
        assertThatThrownBy(() -> RedisStore.connect(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("uri must not be null");
    }

    @Test
    void lettuce_tooOld_messageStatesIt() {
        assertThatThrownBy(() -> LettuceCompatibility.check(false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("Weir needs Lettuce 6.6 or newer, found 7\\.\\d+\\.\\d+.*");
    }
}
