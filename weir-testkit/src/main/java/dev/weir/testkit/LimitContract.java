package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The part of {@link StoreContract} that is about how each limit counts, and about changed limits and the clock. */
@SuppressWarnings("CheckReturnValue") // many requests are made for their effect
abstract class LimitContract extends KeyContract {

    @Test
    final void tryAcquire_upToTheLimit_thenDeniedUntilItsWindowHasPassed() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("limit", limit);
            String key = "limit " + limit;
            for (int remaining = 2; remaining >= 0; remaining--) {
                Decision admitted = limiter.tryAcquire(key);
                assertAllowed(admitted);
                assertEquals(remaining, admitted.remaining(), limit);
                assertEquals(time.nanos(), admitted.timeNanos(), limit);
            }
            Decision denied = limiter.tryAcquire(key);
            assertDenied(denied);
            assertEquals(time.nanos(), denied.timeNanos(), limit);
            time.advanceNanos(denied.retryAfterNanos() - tickNanos());
            assertDenied(limiter.tryAcquire(key));
            time.advanceNanos(tickNanos());
            assertAllowed(limiter.tryAcquire(key));
        }
    }

    @Test
    final void permits_ofEachMethod_countAsLongAsItsAccountingStates() {
        time.advance(Duration.ofMillis(950)); // from the start of a second
        assertCountForMillis(1000, "4/1s");
        assertCountForMillis(1050, "4/1s resolution=100ms");
        assertCountForMillis(1020, "4/1s margin=20ms");
        assertCountForMillis(1050, "sliding-window 4/1s buckets=10");
        assertCountForMillis(950, "sliding-window 4/1s buckets=10 estimate=classic");
        assertCountForMillis(50, "fixed-window 4/1s");
        assertCountForMillis(1000, "fixed-window 4/1s align=first");
        assertCountForMillis(250, "token-bucket 4/1s");
        assertCountForMillis(250, "gcra 4/1s");
        assertCountForMillis(1000, "leaky-bucket 4/1s");
    }

    private void assertCountForMillis(long millis, String limit) {
        RateLimiter limiter = limiter("accounting", limit);
        String key = "accounting " + limit;
        assertAllowed(limiter.tryAcquire(key, Limit.parse(limit).maxPermitsPerRequest()));
        Decision denied = limiter.tryAcquire(key);
        assertDenied(denied);
        assertEquals(Duration.ofMillis(millis), denied.retryAfter(), limit);
    }

    @Test
    final void largeLimits_areCountedWithoutOverflow() {
        for (String limit : List.of( // whose permits times nanoseconds exceed a long
                "1000000/1d",
                "sliding-window 1000000/1d",
                "fixed-window 1000000/1d",
                "token-bucket 1000000/1d",
                "gcra 1000000/1d burst=1000000",
                "leaky-bucket 1000000/1d")) {
            RateLimiter limiter = limiter("large", limit);
            String key = "large " + limit;
            Decision allowed = limiter.tryAcquire(key, 999_999);
            assertAllowed(allowed);
            assertEquals(1, allowed.remaining(), limit);
            assertDenied(limiter.tryAcquire(key, 2));
            time.advanceNanos(limiter.peek(key).resetAfterNanos());
            assertAllowed(limiter.tryAcquire(key, 1_000_000));
        }
    }

    @Test
    final void morePermitsThanALimitEverGrants_areNeverAllowed() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("never", limit);
            String key = "never " + limit;
            limiter.tryAcquire(key);
            assertTrue(limiter.tryAcquire(key, 4).never(), limit);
            assertTrue(limiter.tryAcquire(key, Long.MAX_VALUE).never(), limit);
        }
    }

    @Test
    final void unlimited_neverDenies_unlessBlocked() {
        RateLimiter limiter = limiter("unlimited", "unlimited");
        for (int i = 0; i < 3; i++) {
            Decision allowed = limiter.tryAcquire("key", 1_000_000_000_000L);
            assertAllowed(allowed);
            assertEquals(Long.MAX_VALUE, allowed.remaining());
        }
        limiter.block("key", Duration.ofSeconds(1));
        assertBlocked(limiter.tryAcquire("key"));
    }

    @Test
    final void changedLimits_countEarlierGrantsAtOnce() {
        RateLimiter limiter = limiter("change", "10/1m");
        limiter.tryAcquire("key", 6);
        limiter.changeLimits(Limits.parse("4/1m"));
        assertDenied(limiter.tryAcquire("key"));
        assertEquals(0, limiter.peek("key").remaining());
        limiter.changeLimits(Limits.parse("8/1h"));
        assertEquals(1, limiter.tryAcquire("key").remaining());
    }

    @Test
    final void reorderedLimits_withNames_keepTheirLogs() {
        RateLimiter limiter = limiter("reorder", "2/1m name=a");
        limiter.tryAcquire("key", 2);
        limiter.changeLimits(Limits.parse("9/1m name=b", "2/1m name=a"));

        Decision denied = limiter.tryAcquire("key");
        assertEquals("a", denied.limit().name());
        assertEquals(List.of(9L, 0L), remaining(denied));
        limiter.changeLimits(Limits.of(Limit.parse("9/1m name=b")));
        assertEquals(8, limiter.tryAcquire("key").remaining());
    }

    @Test
    final void attempts_countEvenIfAnotherLimitDenied() {
        RateLimiter limiter = limiter("attempts", "1/1m", "sliding-log 2/10m count=attempts name=attempts");
        assertAllowed(limiter.tryAcquire("key"));
        assertDenied(limiter.tryAcquire("key"));
        time.advance(Duration.ofMinutes(1));

        assertEquals("attempts", limiter.tryAcquire("key").limit().name());
    }

    @Test
    final void attempts_neitherWaitNorAreRefunded() {
        RateLimiter limiter = limiter("no-wait", "2/1s count=attempts");
        limiter.reserve("key", 2, Duration.ZERO).cancel();

        assertDenied(limiter.reserve("key", Duration.ofMinutes(1)).decision());
    }

    @Test
    final void clockSetBack_grantsNothingEarly() {
        AtomicLong reading = new AtomicLong(time.nanos());
        try (Store own = store(reading::get)) {
            for (String limit : EVERY_ALGORITHM) {
                RateLimiter limiter = RateLimiter.builder()
                        .name("back")
                        .limit(limit)
                        .store(own)
                        .build();
                String key = "back " + limit;
                assertAllowed(limiter.tryAcquire(key, 3));
                reading.addAndGet(-10_000_000_000L);
                assertDenied(limiter.tryAcquire(key, 3));
                reading.addAndGet(1_000_000_000L - tickNanos());
                assertDenied(limiter.tryAcquire(key, 3));
            }
        }
    }

    @Test
    final void peek_ifAttemptsCount_isNotAnAttempt() {
        RateLimiter limiter = limiter("peek-attempts", "sliding-log 2/10m count=attempts");
        limiter.tryAcquire("key", 2);
        time.advance(Duration.ofMinutes(5));
        assertDenied(limiter.peek("key"));
        time.advance(Duration.ofMinutes(5));

        assertEquals(2, limiter.peek("key").remaining());
    }

    @Test
    final void attempt_forMoreThanTheLimit_usesUpTheLimit() {
        RateLimiter limiter = limiter("large-attempts", "sliding-log 10/10m count=attempts");
        assertAllowed(limiter.tryAcquire("key", 4));
        time.advance(Duration.ofMinutes(5));
        Decision denied = limiter.tryAcquire("key", 25);
        assertTrue(denied.never(), denied::toString);
        time.advance(Duration.ofMinutes(5));
        assertDenied(limiter.peek("key"));
        time.advance(Duration.ofMinutes(5));

        assertEquals(10, limiter.peek("key").remaining());
    }

    @Test
    final void attempts_haveReplacedOlderGrants_anEarlierReservationIsNotRefunded() {
        RateLimiter limiter = limiter("to-attempts", "10/1m");
        limiter.tryAcquire("key", 9);
        time.advance(Duration.ofSeconds(10));
        Reservation reservation = limiter.reserve("key", Duration.ZERO);
        limiter.changeLimits(Limits.parse("2/1m count=attempts"));
        time.advance(Duration.ofSeconds(10));
        assertDenied(limiter.tryAcquire("key")); // from now on, the newest two permits suffice to deny all requests
        reservation.cancel();

        assertDenied(limiter.tryAcquire("key"));
    }
}
