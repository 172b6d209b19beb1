package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Mistakes of callers that the API makes impossible or visible. */
class ApiTrapsTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(time).build();
    }

    @Test
    void acquire_resultIgnored_deniedCallerDoesNotPass() throws Exception {
        RateLimiter limiter = limiter("2/1h");
        int passed = 0;
        for (int i = 0; i < 10; i++) {
            try {
                limiter.acquire("key", Duration.ZERO);
                passed++;
            } catch (RateLimitedException denied) {
                assertThat(denied.limiter()).isEqualTo("default");
                assertThat(denied.decision().retryAfter()).isEqualTo(Duration.ofHours(1));
                assertThat(denied).hasMessage("limiter 'default': denied by sliding-log 2/1h, retry after PT1H");
            }
        }
        assertThat(passed).isEqualTo(2);
    }

    @Test
    void acquire_blockedKeyOrTooMany_reportsWhy() {
        RateLimiter limiter = limiter("2/1h");
        assertThatThrownBy(() -> limiter.acquire("key", 3, Duration.ofDays(1)))
                .hasMessage("limiter 'default': more permits requested than sliding-log 2/1h ever grants");
        limiter.block("key", Duration.ofMinutes(1));
        assertThatThrownBy(() -> limiter.acquire("key", Duration.ZERO))
                .hasMessage("limiter 'default': key is blocked, retry after PT1M");
    }

    @Test
    void run_interrupted_cancelsAndStaysInterrupted() {
        RateLimiter limiter = limiter("1/1h");
        limiter.run("key", Duration.ZERO, () -> {});
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> limiter.run("key", Duration.ofDays(1), () -> {}))
                    .isInstanceOf(CancellationException.class);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        time.advance(Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void limiterOnASharedStore_withoutAName_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> RateLimiter.builder().limit("5/1m").store(store).build())
                .withMessageStartingWith("name must be set for a limiter with a store(...)");
    }

    @Test
    void limitersOnASharedStore_countApart() {
        RateLimiter login =
                RateLimiter.builder().name("login").limit("5/1m").store(store).build();
        RateLimiter api =
                RateLimiter.builder().name("api").limit("1000/1m").store(store).build();
        for (int i = 0; i < 100; i++) {
            api.tryAcquire("alice");
        }
        assertThat(login.tryAcquire("alice").remaining()).isEqualTo(4);
    }

    @Test
    void timeSource_unlikeTheStores_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.builder()
                        .name("api")
                        .limit("5/1m")
                        .store(store)
                        .timeSource(new ManualTimeSource())
                        .build())
                .withMessageStartingWith("timeSource must be the store's, or not be set");
        RateLimiter limiter = RateLimiter.builder()
                .name("api")
                .limit("5/1m")
                .store(store)
                .timeSource(time)
                .build();
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void limitsThatAStoreCannotHold_areRefusedWhenBuiltAndWhenChanged() {
        Store picky = (Store) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, args) -> {
                    if (method.getName().equals("check") && args[0].toString().contains("26500d")) {
                        throw new IllegalArgumentException("too large");
                    }
                    return method.getName().equals("timeSource") ? time : null;
                });
        RateLimiter.Builder builder = RateLimiter.builder().name("api").store(picky);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.limits(Limits.parse("10/26500d")).build())
                .withMessage("too large");

        RateLimiter limiter = builder.limits(Limits.parse("10/1d")).build();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.changeLimits(Limits.parse("10/26500d")));
        assertThat(limiter.limits("key")).isEqualTo(Limits.parse("10/1d"));
    }

    @Test
    void listenerThatThrows_changesNothing() throws Exception {
        List<String> events = new ArrayList<>();
        RateLimiter limiter = RateLimiter.builder()
                .limit("2/1s")
                .timeSource(time)
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String limiter, String key, long permits, Decision decision) {
                        throw new AssertionError("broken listener");
                    }

                    @Override
                    public void refunded(String limiter, String key, long permits, long timeNanos) {
                        throw new IllegalStateException("broken listener");
                    }
                })
                .listener(new LimiterListener() {
                    @Override
                    public void decided(String limiter, String key, long permits, Decision decision) {
                        events.add(key + " " + permits);
                    }
                })
                .build();
        assertThat(limiter.tryAcquire("key").remaining()).isEqualTo(1);
        Reservation reservation = limiter.reserve("key", Duration.ZERO);
        assertThat(reservation.await().allowed()).isTrue();
        assertThat(reservation.cancel()).isTrue();
        assertThat(limiter.tryAcquireAsync("key").join().allowed()).isTrue();
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(events).containsExactly("key 1", "key 1", "key 1", "key 1");
    }

    @Test
    void pendingRequest_followsChangedLimits() {
        RateLimiter limiter = limiter("5/1m");
        Request held = limiter.request("key", 2);
        limiter.changeLimits(Limits.parse("1/1m"));
        assertThat(RateLimiter.tryAcquireAll(held).never()).isTrue();
    }

    @Test
    void advance_completesAsynchronousWaits() {
        RateLimiter limiter = limiter("1/1s");
        limiter.tryAcquire("key");
        List<Long> instants = new ArrayList<>();
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waits.add(limiter.tryAcquireAsync("key", Duration.ofMinutes(1))
                    .thenAccept(decision -> instants.add(time.nanos())));
        }
        long start = time.nanos();
        time.advance(Duration.ofSeconds(10));
        assertThat(waits).allMatch(CompletableFuture::isDone);
        assertThat(instants).containsExactly(start + 1_000_000_000, start + 2_000_000_000, start + 3_000_000_000L);
    }

    @Test
    void callAsync_inTimeTooLateAndCancelled() {
        RateLimiter limiter = limiter("1/1s");
        assertThat(limiter.callAsync("key", Duration.ZERO, () -> CompletableFuture.completedFuture("paid")))
                .isCompletedWithValue("paid");
        assertThatThrownBy(
                        () -> limiter.callAsync("key", Duration.ZERO, () -> CompletableFuture.completedFuture("paid"))
                                .join())
                .hasCauseInstanceOf(RateLimitedException.class);

        AtomicReference<String> started = new AtomicReference<>();
        CompletableFuture<String> waiting = limiter.callAsync("key", Duration.ofSeconds(5), () -> {
            started.set("second");
            return CompletableFuture.completedFuture("paid");
        });
        waiting.cancel(false);
        time.advance(Duration.ofSeconds(1));
        assertThat(started).hasValue(null);
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void callAsync_taskReturnsNull_failsWithTheReason() {
        CompletableFuture<String> call = limiter("1/1s").callAsync("key", Duration.ZERO, () -> null);

        assertThatThrownBy(call::join).hasRootCauseMessage("task must not return null");
    }

    @Test
    void localShare_whoseBurstWouldOverflow_isCappedAndNeverThrows() {
        Limit limit = Limit.parse("gcra 3/1d burst=75000");
        Limit share = limit.share(0.5);
        assertThat(share.permits()).isEqualTo(1);
        assertThat(share.maxPermitsPerRequest()).isBetween(1L, 150_000L);
        for (String text : List.of("1/1m", "token-bucket 5/1m burst=1", "leaky-bucket 5/1m capacity=1")) {
            assertThat(Limit.parse(text).share(1e-300).maxPermitsPerRequest()).isEqualTo(1);
        }
    }

    @Test
    void localShare_ofManyPermits_isExact() {
        long many = (1L << 53) + 3;
        assertThat(Limit.slidingLog(many, Duration.ofSeconds(1)).share(1).permits())
                .isEqualTo(many);
        assertThat(Limit.slidingLog(Long.MAX_VALUE, Duration.ofSeconds(1))
                        .share(0.5)
                        .permits())
                .isEqualTo(Long.MAX_VALUE / 2);
    }

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

    @Test
    void nulls_areNamed() {
        RateLimiter limiter = limiter("1/1s");
        assertThatNullPointerException().isThrownBy(() -> Limit.parse(null)).withMessage("text must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll((Request[]) null))
                .withMessage("requests must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire(null))
                .withMessage("key must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.reserve("key", null))
                .withMessage("maxWait must not be null");
    }

    @Test
    void numbers_areAsciiDigits() {
        for (String text : List.of("\u0661/1s", "1/\u0661s", "token-bucket 1/1s burst=\u0665")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Limit.parse(text));
        }
    }

    @Test
    void unpairedSurrogates_areDifferentKeysOf3Bytes() {
        RateLimiter limiter = limiter("1/1s");
        assertThat(limiter.tryAcquire("\ud800").allowed()).isTrue();
        assertThat(limiter.tryAcquire("?").allowed()).isTrue();
        assertThat(limiter.tryAcquire("\udc00").allowed()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("\ud800".repeat(342)));
    }

    @Test
    void requestOfNoLimiter_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RateLimiter.tryAcquireAll(Request.of("api", Limits.parse("1/1s"), "key", 1)))
                .withMessageStartingWith("requests must be made by RateLimiter.request");
    }

    @Test
    void limiter_describesItself() {
        assertThat(limiter("1/1s")).hasToString("RateLimiter[name=default, limits=[sliding-log 1/1s]]");
    }
}
