package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults that were found by attacking the core, each with the test that shows it. */
class FoundFaultsTest {
    private final ManualTimeSource clock = new ManualTimeSource();

    @Test
    void countFlippedToAttempts_withPendingReservations_theWindowIsKept() {
        RateLimiter limiter =
                RateLimiter.builder().limit("10/1m").timeSource(clock).build();
        for (int i = 0; i < 4; i++) {
            assertThat(limiter.reserve("key", 10, Duration.ofHours(1))
                            .decision()
                            .allowed())
                    .isTrue();
        }
        limiter.changeLimits(Limits.parse("10/1m count=attempts"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
        assertThat(limiter.tryAcquire("key", 10).allowed()).isFalse();
    }

    @Test
    void clocksOfTwoThreads_apart_admitNoMore() throws Exception {
        AtomicLong time = new AtomicLong(1_000_000_000_000L);
        ThreadLocal<Long> skew = ThreadLocal.withInitial(() -> 0L);
        TimeSource skewed = () -> time.get() + skew.get();
        RateLimiter limiter =
                RateLimiter.builder().limit("10/1m").timeSource(skewed).build();
        long admitted = 0;
        for (int i = 0; i < 1000; i++) {
            skew.set(i % 2 == 0 ? 0L : 1_500_000_000L);
            admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
        }
        assertThat(admitted).isLessThanOrEqualTo(10);
    }

    @Test
    void clocksOfTwoThreads_aFewMillisApart_admitNoMore() {
        AtomicLong time = new AtomicLong(1_000_000_000_000L);
        AtomicLong skew = new AtomicLong();
        RateLimiter limiter = RateLimiter.builder()
                .limit("10/10ms")
                .limit("50/1h")
                .timeSource(() -> time.get() + skew.get())
                .build();
        long admitted = 0;
        for (int i = 0; i < 1_000_000; i++) {
            skew.set(i % 2 == 0 ? 0L : 11_000_000L);
            admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
        }
        assertThat(admitted).isLessThanOrEqualTo(50);
    }

    @Test
    void cancelled_whileWaitedFor_theFutureIsNotAllowed() {
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(clock).build();
        limiter.tryAcquire("key");
        Reservation reservation = limiter.reserve("key", 1, Duration.ofHours(1));
        CompletableFuture<Decision> due = reservation.whenDue();
        assertThat(reservation.cancel()).isTrue();
        assertThat(clock.waiting()).isZero();
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
        due.handle((decision, failure) -> decision).join();
        assertThat(due.isCompletedExceptionally()).isTrue();
    }

    @Test
    void acquireAsync_completedWithSomethingElse_refunds() {
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(clock).build();
        Decision used = limiter.tryAcquire("key");
        CompletableFuture<Decision> due = limiter.tryAcquireAsync("key", Duration.ofHours(1));
        assertThat(due.complete(used)).isTrue(); // as completeOnTimeout does
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Test
    void acquire_clockThatCannotWait_refunds() {
        TimeSource broken = new OtherTimers(clock, nanos -> {
            throw new IllegalStateException("no timers");
        });
        RateLimiter limiter =
                RateLimiter.builder().limit("1/1m").timeSource(broken).build();
        limiter.tryAcquire("key");
        assertThatThrownBy(() -> limiter.acquire("key", Duration.ofHours(1))).isInstanceOf(IllegalStateException.class);
        assertThat(limiter.tryAcquireAsync("key", Duration.ofHours(1))).isCompletedExceptionally();
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("key").allowed()).isTrue();
    }

    @Tag("large")
    @Test
    void removalOfIdleKeys_clockOfAnotherStoreThrows_continues() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        MemoryStore bad = MemoryStore.builder()
                .timeSource(() -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken clock");
                    }
                    return clock.nanos();
                })
                .build();
        RateLimiter.builder().name("test").limit("1/1s").store(bad).build().tryAcquire("key");
        MemoryStore good = MemoryStore.builder().timeSource(clock).build();
        RateLimiter.builder().name("test").limit("1/1s").store(good).build().tryAcquire("key");
        try (UncaughtExceptions expected = new UncaughtExceptions("broken clock")) {
            broken.set(true);
            clock.advance(Duration.ofHours(1));
            for (int i = 0; i < 1_200 && good.statistics().keys().orElseThrow() > 0; i++) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            expected.assertCaptured();
        }
        assertThat(bad).isNotNull();
        broken.set(false);
        assertThat(good.statistics().keys()).hasValue(0);
    }

    @Test
    void reserve_leakyBucketFullBesideALog_retryAfterIsMinimal() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("leaky-bucket 10/10s")
                .limit("100/1s")
                .timeSource(clock)
                .build();
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.reserve("key", 1, Duration.ofHours(1)).decision().allowed())
                    .isTrue();
        }
        Decision denied = limiter.reserve("key", 1, Duration.ofHours(1)).decision();
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    /** The window that it opened would overlap one that begins when the present one ends. */
    @Test
    void fixedWindowFirst_anotherKeyForcesALaterStart_isDenied() {
        MemoryStore store = MemoryStore.builder().timeSource(clock).build();
        RateLimiter users = RateLimiter.builder()
                .name("user")
                .limit("fixed-window 2/10s align=first")
                .store(store)
                .build();
        RateLimiter tenants =
                RateLimiter.builder().name("tenant").limit("2/12s").store(store).build();
        tenants.tryAcquire("t", 2);
        users.tryAcquire("key");
        Decision ahead = RateLimiter.reserveAll(Duration.ofHours(1), users.request("key", 2), tenants.request("t", 1))
                .decision();

        assertThat(ahead.allowed()).isFalse();
    }

    /** Refunded windows made room for others between them and later ones: three and four times the limit. */
    @ParameterizedTest
    @ValueSource(strings = {"+A +B +D -A 5 +C -B +E -C 7 +G", "+A +B +D +E -A -B -D 5 +F +H +I -F -H 9 +J +K -J 8 +G"})
    void fixedWindowFirst_refundedWindows_twiceTheLimitAtMost(String steps) {
        RateLimiter limiter = RateLimiter.builder()
                .limit("fixed-window 1/10s align=first")
                .timeSource(clock)
                .build();
        Map<String, Reservation> reserved = new HashMap<>();
        Map<String, Long> granted = new HashMap<>();
        for (String step : steps.split(" ", -1)) {
            String name = step.substring(1);
            if (step.startsWith("+")) {
                Reservation reservation = limiter.reserve("key", 1, Duration.ofMinutes(5));
                reserved.put(name, reservation);
                granted.put(name, clock.nanos() + reservation.decision().waitNanos());
            } else if (step.startsWith("-")) {
                reserved.get(name).cancel();
                granted.remove(name);
            } else {
                clock.advance(Duration.ofSeconds(Long.parseLong(step)));
            }
        }
        long window = Duration.ofSeconds(10).toNanos();
        for (long last : granted.values()) {
            assertThat(granted.values())
                    .filteredOn(at -> at > last - window && at <= last)
                    .hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void fixedWindow_hugeWindowsMergedByAChange_doNotOverflowIntoAllowed() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("fixed-window " + Long.MAX_VALUE + "/1s")
                .timeSource(clock)
                .build();
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("fixed-window 5/1d"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void slidingLog_hugeReservationsUnderAWiderWindow_doNotOverflowIntoAllowed() {
        RateLimiter limiter = RateLimiter.builder()
                .limit(Long.MAX_VALUE + "/1s")
                .timeSource(clock)
                .build();
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", 2, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("5/1d"));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void slidingLog_hugeReservations_doNotOverflowIntoAllowed() {
        RateLimiter limiter = RateLimiter.builder()
                .limit(Long.MAX_VALUE + "/1s")
                .timeSource(clock)
                .build();
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void parse_negativeBucketsBeyondInt_isRefused() {
        assertThatThrownBy(() -> Limit.parse("sliding-window 100/1m buckets=-4294967236"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be at least 1");
    }

    @Test
    void blocked_remaining_isNone() {
        RateLimiter limiter =
                RateLimiter.builder().limit("10/1m").timeSource(clock).build();
        limiter.block("key", Duration.ofHours(1));
        assertThat(limiter.tryAcquire("key").remaining()).isZero();
    }

    @Test
    void clock_newKey_isReadOnce() {
        AtomicInteger reads = new AtomicInteger();
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/1m")
                .timeSource(() -> {
                    reads.incrementAndGet();
                    return clock.nanos();
                })
                .build();
        limiter.tryAcquire("a");
        reads.set(0);
        limiter.tryAcquire("b");
        assertThat(reads.get()).isEqualTo(1);
    }

    @Test
    void manualClock_advancedByTwoThreads_losesNothing() throws Exception {
        ManualTimeSource shared = new ManualTimeSource(0);
        Runnable task = () -> {
            for (int i = 0; i < 100_000; i++) {
                shared.advanceNanos(1);
            }
        };
        Thread a = new Thread(task);
        Thread b = new Thread(task);
        a.start();
        b.start();
        a.join();
        b.join();
        assertThat(shared.nanos()).isEqualTo(200_000);
    }

    @Test
    void checker_leakyBucketWeightRefunded_doesNotLoosenTheBound() {
        List<TraceEvent> trace = new ArrayList<>();
        trace.add(new TraceEvent(0, "k", 5, Kind.ALLOWED));
        trace.add(new TraceEvent(0, "k", 5, Kind.REFUNDED));
        for (int i = 1; i <= 6; i++) {
            trace.add(new TraceEvent(i, "k", 1, Kind.ALLOWED));
        }
        assertThat(TraceChecker.check(Limit.parse("leaky-bucket 2/10s capacity=5"), trace)
                        .holds())
                .isFalse();
    }

    @Test
    void checker_classicOfOneBucket_isNotVacuous() {
        List<TraceEvent> trace = List.of(new TraceEvent(1, "k", 1000, Kind.ALLOWED));
        assertThat(TraceChecker.check(Limit.parse("sliding-window 5/10s buckets=1 estimate=classic"), trace)
                        .holds())
                .isFalse();
    }

    @Test
    void settledWaiters_ofACoarseLog_areMergedIntoTicks() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("sliding-log 1000000/1h resolution=1m")
                .limit("gcra 7/1s")
                .timeSource(clock)
                .build();
        for (int i = 0; i < 40_000; i++) {
            Decision d = limiter.reserve("key", 1, Duration.ofSeconds(10)).decision();
            clock.advanceNanos(100_000_007);
            assertThat(d.allowed() || d.retryAfterNanos() > 0).isTrue();
        }

        int ticks = 60 + 1;
        KeySnapshot.LimitSnapshot log = limiter.inspect("key", 10_000).limits().get(0);
        assertThat(log.truncated()).isFalse();
        assertThat(log.runs()).hasSizeLessThanOrEqualTo(2 * ticks + 2 * 1024);
    }

    /** Two stamps can be one tick further apart than there are whole ticks in the window. */
    @Test
    void slidingLog_asManyTicksAsFitAnInt_expires() {
        RateLimiter limiter = RateLimiter.builder()
                .limit("sliding-log 5/6442450943ns resolution=3ns")
                .timeSource(clock)
                .build();
        limiter.tryAcquire("key");
        clock.advanceNanos(6_442_450_942L);
        limiter.tryAcquire("key");
        clock.advanceNanos(1);

        assertThat(limiter.tryAcquire("key").remaining()).isBetween(2L, 3L); // up to one tick later
    }

    @Test
    void slidingLog_expiredHugeReservations_underANarrowerLimit() {
        RateLimiter limiter = RateLimiter.builder()
                .limit(Long.MAX_VALUE + "/1s")
                .timeSource(clock)
                .build();
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.reserve("key", Long.MAX_VALUE, Duration.ofHours(1));
        limiter.changeLimits(Limits.parse("5/1d"));
        clock.advance(Duration.ofMillis(500));
        limiter.tryAcquire("key");
        clock.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    /** The difference between the instants of the reservation and of its refund overflows. */
    @ParameterizedTest
    @ValueSource(strings = {"5/20000d resolution=1000d", "sliding-window 5/20000d estimate=classic"})
    void log_refundOfAReservationFrom500YearsAgo_hasNoEffect(String limit) {
        ManualTimeSource old = new ManualTimeSource(-Long.MAX_VALUE);
        RateLimiter limiter = RateLimiter.builder().limit(limit).timeSource(old).build();
        Reservation reservation = limiter.reserve("key", Duration.ZERO);
        Decision before = reservation.decision();
        for (int i = 0; i < 18; i++) {
            old.advance(Duration.ofDays(10_000));
            before = limiter.tryAcquire("key");
        }
        reservation.cancel();

        old.advance(Duration.ofDays(10_000));
        Decision next = limiter.tryAcquire("key");
        assertThat(next.remaining()).isEqualTo(before.remaining());
        assertThat(next.resetAfter()).isBetween(Duration.ofDays(19_000), Duration.ofDays(21_000));
    }
}
