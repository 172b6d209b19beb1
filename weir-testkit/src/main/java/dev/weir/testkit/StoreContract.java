package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Clock;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every store must do, as tests to inherit (JUnit Jupiter). A subclass makes the store on the clock it is handed.
 * Each test uses keys of its own, so that a store may be shared.
 */
public abstract class StoreContract {
    private static final List<String> EVERY_ALGORITHM =
            List.of("3/1s", "sliding-window 3/1s", "fixed-window 3/1s", "token-bucket 3/1s", "gcra 3/1s burst=3");

    /** The clock that the store and the limiters go by. */
    protected final ManualClock clock = new ManualClock();

    private Store store;

    /** Made by the subclasses. */
    protected StoreContract() {}

    /** A store that goes by this clock. */
    protected abstract Store store(Clock clock);

    /** The store's tick in nanoseconds, if it counts in coarser ones than the clock: the tests keep to its multiples. */
    protected long tickNanos() {
        return 1;
    }

    @BeforeEach
    final void open() {
        store = store(clock);
    }

    @AfterEach
    final void close() {
        store.close();
    }

    private RateLimiter limiter(String name, String... limits) {
        return RateLimiter.builder()
                .name(name)
                .limits(Limits.parse(limits))
                .store(store)
                .clock(clock)
                .build();
    }

    @Test
    final void tryAcquire_upToTheLimit_thenDeniedUntilItsWindowHasPassed() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("limit", limit);
            String key = "limit " + limit;
            for (int remaining = 2; remaining >= 0; remaining--) {
                Decision admitted = limiter.tryAcquire(key);
                assertTrue(admitted.allowed(), limit);
                assertEquals(remaining, admitted.remaining(), limit);
            }
            Decision denied = limiter.tryAcquire(key);
            assertFalse(denied.allowed(), limit);
            clock.advanceNanos(denied.retryAfterNanos() - tickNanos());
            assertFalse(limiter.tryAcquire(key).allowed(), limit);
            clock.advanceNanos(tickNanos());
            assertTrue(limiter.tryAcquire(key).allowed(), limit);
        }
    }

    @Test
    final void tryAcquire_otherKeysAndOtherLimiters_countApart() {
        RateLimiter one = limiter("apart-1", "1/1s");
        RateLimiter other = limiter("apart-2", "1/1s");

        assertTrue(one.tryAcquire("a").allowed());
        assertTrue(one.tryAcquire("b").allowed());
        assertTrue(other.tryAcquire("a").allowed());
        assertFalse(one.tryAcquire("a").allowed());
    }

    @Test
    final void denial_takesNothingFromAnyLimit() {
        RateLimiter limiter = limiter("denial", "10/1s", "3/1h name=hourly");
        limiter.tryAcquire("key", 3);
        for (int i = 0; i < 20; i++) {
            assertEquals("hourly", limiter.tryAcquire("key").limit().name());
        }
        limiter.changeLimits(Limits.parse("10/1s"));

        assertEquals(7, limiter.peek("key").remaining());
    }

    @Test
    final void tryAcquireAll_whenOneRefuses_takesFromNone() {
        RateLimiter user = limiter("user", "5/1s");
        RateLimiter tenant = limiter("tenant", "2/1s name=tenants");
        for (int i = 0; i < 4; i++) {
            RateLimiter.tryAcquireAll(user.request("alice", 1), tenant.request("acme", 1));
        }

        assertEquals(3, user.peek("alice").remaining());
        Decision denied = RateLimiter.tryAcquireAll(user.request("alice", 1), tenant.request("acme", 1));
        assertEquals("tenants", denied.limit().name());
    }

    @Test
    final void peek_anyNumberOfTimes_writesNothing() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("peek", limit);
            String key = "peek " + limit;
            for (int i = 0; i < 10; i++) {
                assertEquals(3, limiter.peek(key, 2).remaining(), limit);
            }
            limiter.tryAcquire(key, 3);
            Decision peeked = limiter.peek(key, 2);
            assertEquals(limiter.tryAcquire(key, 2), peeked, limit);
        }
    }

    @Test
    final void reserve_beyondTheLimit_booksInTurnAndGivesBackExactly() {
        RateLimiter limiter = limiter("reserve", "1/1s");
        List<Reservation> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Reservation reservation = limiter.reserve("key", 1, Duration.ofMinutes(1));
            assertEquals(Duration.ofSeconds(i), reservation.decision().waitTime());
            waiting.add(reservation);
        }
        assertTrue(waiting.get(2).cancel());
        assertFalse(waiting.get(2).cancel());

        Reservation next = limiter.reserve("key", 1, Duration.ofMinutes(1));
        assertEquals(Duration.ofSeconds(2), next.decision().waitTime());
        assertFalse(
                limiter.reserve("key", 1, Duration.ofMillis(3999)).decision().allowed());
    }

    @Test
    final void reset_lastsLogsAndBlock_andOldHandlesGiveNothingBack() {
        RateLimiter limiter = limiter("reset", "3/1h");
        Reservation before = limiter.reserve("key", 3, Duration.ZERO);
        limiter.block("key", Duration.ofHours(2));
        assertFalse(limiter.tryAcquire("key").allowed());
        limiter.reset("key");
        clock.advanceNanos(tickNanos());

        assertEquals(0, limiter.tryAcquire("key", 3).remaining());
        before.cancel();
        assertEquals(0, limiter.peek("key").remaining());
    }

    @Test
    final void block_deniesUntilThen_andBooksNothing() {
        RateLimiter limiter = limiter("block", "3/1s");
        limiter.block("key", Duration.ofSeconds(10));
        limiter.block("key", Duration.ofSeconds(5));

        assertEquals(Duration.ofSeconds(10), limiter.tryAcquire("key").retryAfter());
        assertEquals(
                Duration.ofSeconds(10),
                limiter.reserve("key", 1, Duration.ofMinutes(1)).decision().waitTime());
        clock.advance(Duration.ofSeconds(10));
        assertEquals(1, limiter.tryAcquire("key").remaining());
    }

    @Test
    final void changedLimits_countWhatIsInTheLogAtOnce() {
        RateLimiter limiter = limiter("change", "10/1m");
        limiter.tryAcquire("key", 6);
        limiter.changeLimits(Limits.parse("4/1m"));
        assertFalse(limiter.tryAcquire("key").allowed());
        assertEquals(0, limiter.peek("key").remaining());
        limiter.changeLimits(Limits.parse("8/1m"));
        assertEquals(1, limiter.tryAcquire("key").remaining());
    }

    @Test
    final void reorderedLimits_withNames_keepTheirLogs() {
        RateLimiter limiter = limiter("reorder", "2/1m name=a", "9/1m name=b");
        limiter.tryAcquire("key", 2);
        limiter.changeLimits(Limits.parse("9/1m name=b", "2/1m name=a"));

        Decision denied = limiter.tryAcquire("key");
        assertEquals("a", denied.limit().name());
        limiter.changeLimits(Limits.of(Limit.parse("9/1m name=b")));
        assertEquals(6, limiter.tryAcquire("key").remaining());
    }

    @Test
    final void attempts_countEvenWhenAnotherLimitRefused() {
        RateLimiter limiter = limiter("attempts", "1/1m", "sliding-log 2/10m count=attempts name=attempts");
        assertTrue(limiter.tryAcquire("key").allowed());
        assertFalse(limiter.tryAcquire("key").allowed());
        clock.advance(Duration.ofMinutes(1));

        assertEquals("attempts", limiter.tryAcquire("key").limit().name());
    }

    @Test
    final void keysOfAnyText_areTheirOwn() {
        RateLimiter limiter = limiter("text", "1/1s");
        String longest = "k".repeat(1024);
        for (String key : List.of("a b", "a\nb", "{a}", "a\u0000b", "\uD83D\uDE00", longest, longest.substring(1))) {
            assertTrue(limiter.tryAcquire(key).allowed(), key);
            assertFalse(limiter.tryAcquire(key).allowed(), key);
        }
    }

    @Test
    final void anyRandomTrace_keepsThePromise() {
        Limit limit = Limit.parse("7/100ms");
        RateLimiter limiter = limiter("trace", "7/100ms");
        SplittableRandom random = new SplittableRandom(5);
        List<TraceEvent> trace = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            clock.advanceNanos(random.nextInt(30_000_000) / tickNanos() * tickNanos());
            long permits = random.nextLong(1, 4);
            Reservation reservation = limiter.reserve("key", permits, Duration.ofMillis(random.nextInt(200)));
            if (reservation.decision().allowed()) {
                long at = clock.nanos() + reservation.decision().waitNanos();
                trace.add(new TraceEvent(at, "key", permits, TraceEvent.Kind.ALLOWED));
                if (random.nextInt(4) == 0 && reservation.cancel()) {
                    trace.add(new TraceEvent(at, "key", permits, TraceEvent.Kind.GIVEN_BACK));
                }
            }
        }
        assertNull(TraceChecker.check(limit, trace).violation());
    }
}
