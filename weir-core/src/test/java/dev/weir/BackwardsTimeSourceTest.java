package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Time sources that go backwards: the store's time is the maximum of all readings, so nothing is granted early. */
class BackwardsTimeSourceTest {
    private static final long MS = 1_000_000;
    private static final long START = 1_000_000_000_000L;

    private final AtomicLong time = new AtomicLong(START);

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(time::get).build();
    }

    private static int granted(RateLimiter limiter, int requests) {
        int granted = 0;
        for (int i = 0; i < requests; i++) {
            granted += limiter.tryAcquire("k").allowed() ? 1 : 0;
        }
        return granted;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/100ms",
                "10/1s",
                "10/1m",
                "sliding-window 10/1s",
                "token-bucket 10/1s",
                "gcra 10/1s burst=10",
                "fixed-window 10/1s align=first"
            })
    void oneStep_back10Minutes_noSecondLimitPasses(String limit) {
        RateLimiter limiter = limiter(limit);
        limiter.tryAcquire("other");
        time.addAndGet(-600_000 * MS);
        limiter.tryAcquire("other");
        time.addAndGet(995 * MS);
        assertThat(granted(limiter, 50)).isEqualTo(10);

        time.addAndGet(limit.contains("1m") ? 59_100 * MS : 10 * MS);
        assertThat(granted(limiter, 50)).isZero();
    }

    @Test
    void twoSteps_atOneInstant_grantOnce() {
        RateLimiter limiter = limiter("1/100ms");
        limiter.tryAcquire("other");
        limiter.tryAcquire("k");
        time.addAndGet(2_000 * MS);
        limiter.tryAcquire("other");
        time.addAndGet(-900 * MS);
        assertThat(granted(limiter, 1)).isEqualTo(1);
        assertThat(granted(limiter, 1)).isZero();
        time.addAndGet(-200 * MS);
        assertThat(granted(limiter, 1)).isZero();
    }

    @Test
    void stepWithAJointRequest_grantsOnce() {
        MemoryStore store = MemoryStore.builder().timeSource(time::get).build();
        RateLimiter user =
                RateLimiter.builder().name("user").limit("1/100ms").store(store).build();
        RateLimiter tenant = RateLimiter.builder()
                .name("tenant")
                .limit("100/100ms")
                .store(store)
                .build();
        user.tryAcquire("k");
        tenant.tryAcquire("acme");
        time.addAndGet(2_000 * MS);
        tenant.tryAcquire("acme");
        time.addAndGet(-900 * MS);
        assertThat(granted(user, 1)).isEqualTo(1);
        assertThat(granted(user, 1)).isZero();

        assertThat(RateLimiter.tryAcquireAll(user.request("k", 1), tenant.request("acme", 1))
                        .allowed())
                .isFalse();
    }

    @Test
    void stepBetweenReservations_keepsThemAWindowApart() {
        Duration maxWait = Duration.ofSeconds(5);
        RateLimiter limiter = limiter("1/100ms");
        limiter.reserve("k", maxWait);
        Reservation cancelled = limiter.reserve("k", maxWait);
        Reservation pending = limiter.reserve("k", maxWait);
        cancelled.cancel();
        time.addAndGet(-90 * MS);
        Reservation later = limiter.reserve("k", maxWait);

        Duration apart = pending.decision().waitTime().minus(later.decision().waitTime());
        assertThat(apart.abs()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @ValueSource(longs = {500, 1_500, 5_000})
    void readingsThatDifferBetweenThreads_grantNothingEarly(long apartMillis) {
        AtomicLong offset = new AtomicLong();
        RateLimiter limiter = RateLimiter.builder()
                .limit("1/10s")
                .timeSource(() -> time.get() + offset.get())
                .build();
        int granted = 0;
        for (int i = 0; i < 600; i++) {
            time.addAndGet(100 * MS);
            offset.set(-apartMillis * MS);
            limiter.tryAcquire("other");
            offset.set(0);
            granted += i % 20 == 0 ? granted(limiter, 1) : 0;
        }
        assertThat(granted).isBetween(5, 6);
    }

    /** Readings of threads on processors whose clocks differ, one after the other. */
    @ParameterizedTest
    @CsvSource({"10/1m, 1500, 10", "10/10ms, 11, 11"
    }) // the later readings of the second are a window after the first one
    void readingsThatAlternate_grantNothingMore(String limit, long apartMillis, int expected) {
        RateLimiter limiter = limiter(limit);
        int granted = 0;
        for (int i = 0; i < 1_000; i++) {
            time.set(START + (i % 2) * apartMillis * MS);
            granted += granted(limiter, 1);
        }
        assertThat(granted).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3/10s", "fixed-window 3/10s align=first", "token-bucket 3/10s"})
    void anHourBackwards_timeStandsStillUntilTheSourceCatchesUp(String limit) {
        RateLimiter limiter = limiter(limit);
        limiter.tryAcquire("k", 3);
        time.addAndGet(-3_600_000 * MS);
        assertThat(granted(limiter, 1)).isZero();
        time.addAndGet(3_600_000 * MS + 9_999 * MS);
        assertThat(limiter.tryAcquire("k", 3).allowed()).isFalse();
        time.addAndGet(MS);
        assertThat(limiter.tryAcquire("k", 3).allowed()).isTrue();
    }

    @Test
    void sourceThatWrapsAround_grantsNothingMore() {
        for (String limit : List.of("3/10s", "fixed-window 3/10s", "sliding-window 3/10s estimate=classic")) {
            time.set(Long.MAX_VALUE - 1);
            RateLimiter limiter = limiter(limit);
            int granted = granted(limiter, 5);
            time.set(Long.MIN_VALUE + 20_000_000_000L);
            assertThat(granted + granted(limiter, 20)).as(limit).isEqualTo(3);
        }
    }

    @Test
    void staleReading_whileOthersDecide_isNotEarlier() {
        AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});
        RateLimiter limiter = RateLimiter.builder()
                .limit("5/1h")
                .timeSource(() -> {
                    long reading = time.get();
                    meanwhile.getAndSet(() -> {}).run();
                    return reading;
                })
                .build();
        int granted = granted(limiter, 9);
        meanwhile.set(() -> {
            time.addAndGet(-7_200_000 * MS);
            for (int i = 0; i < 30; i++) {
                limiter.tryAcquire("other");
                time.addAndGet(100 * MS);
            }
        });
        assertThat(granted + granted(limiter, 9)).isEqualTo(5);
    }

    @Test
    void randomSteps_onRealTime_keepTheBound() {
        SplittableRandom random = new SplittableRandom(3);
        for (int run = 0; run < 200; run++) {
            RateLimiter limiter = limiter("5/1s");
            List<TraceEvent> trace = new ArrayList<>();
            long real = 0;
            for (int i = 0; i < 300; i++) {
                long pass = random.nextLong(200 * MS);
                real += pass;
                time.addAndGet(pass - (random.nextInt(10) == 0 ? random.nextLong(3_000 * MS) : 0));
                if (limiter.tryAcquire("k").allowed()) {
                    trace.add(new TraceEvent(real, "k", 1, Kind.ALLOWED));
                }
            }
            assertThat(TraceChecker.check(Limit.parse("5/1s"), trace).violation())
                    .isNull();
        }
    }
}
