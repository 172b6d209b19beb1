package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Store} as tests to inherit (JUnit Jupiter). A subclass creates the store on the time source it receives;
 * it is closed after the test. Each test uses keys of its own, so that stores may share a server.
 */
@SuppressWarnings("CheckReturnValue") // many requests are made for their effect
public abstract class StoreContract {
    private static final List<String> EVERY_ALGORITHM =
            List.of("3/1s", "sliding-window 3/1s", "fixed-window 3/1s", "token-bucket 3/1s", "gcra 3/1s burst=3");

    /** The time source of the store and of its limiters. */
    protected final ManualTimeSource time = new ManualTimeSource();

    private Store store;

    /** For subclasses. */
    protected StoreContract() {}

    /**
     * Creates the store to test.
     *
     * @param timeSource the time source of the store
     * @return a store
     */
    protected abstract Store store(TimeSource timeSource);

    /**
     * Returns the store's tick, of which the tests use multiples.
     *
     * @return the tick in nanoseconds; by default 1
     */
    protected long tickNanos() {
        return 1;
    }

    @BeforeEach
    final void open() {
        store = store(time);
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
                assertEquals(time.nanos(), admitted.timeNanos(), limit);
            }
            Decision denied = limiter.tryAcquire(key);
            assertFalse(denied.allowed(), limit);
            time.advanceNanos(denied.retryAfterNanos() - tickNanos());
            assertFalse(limiter.tryAcquire(key).allowed(), limit);
            time.advanceNanos(tickNanos());
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
    final void denial_consumesNothing() {
        RateLimiter limiter = limiter("denial", "10/1s", "3/1h name=hourly");
        limiter.tryAcquire("key", 3);
        for (int i = 0; i < 20; i++) {
            assertEquals("hourly", limiter.tryAcquire("key").limit().name());
        }
        limiter.changeLimits(Limits.parse("10/1s"));

        assertEquals(7, limiter.peek("key").remaining());
    }

    @Test
    final void tryAcquireAll_ifOneDenies_takesFromNone() {
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
    final void reserve_beyondTheLimit_waitsInOrderAndCancelsExactly() {
        RateLimiter limiter = limiter("reserve", "1/1s");
        List<Reservation> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Reservation reservation = limiter.reserve("key", 1, Duration.ofSeconds(Long.MAX_VALUE));
            assertEquals(Duration.ofSeconds(i), reservation.decision().waitTime());
            assertEquals(time.nanos(), reservation.decision().timeNanos());
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
    final void reset_clearsLogsAndBlock_andOldReservationsRefundNothing() {
        RateLimiter limiter = limiter("reset", "3/1h");
        Reservation before = limiter.reserve("key", 3, Duration.ZERO);
        limiter.block("key", Duration.ofHours(2));
        assertFalse(limiter.tryAcquire("key").allowed());
        limiter.reset("key");
        time.advanceNanos(tickNanos());

        assertEquals(0, limiter.tryAcquire("key", 3).remaining());
        before.cancel();
        assertEquals(0, limiter.peek("key").remaining());
    }

    @Test
    final void block_deniesUntilItEnds_andGrantsNothing() {
        RateLimiter limiter = limiter("block", "3/1s");
        limiter.block("key", Duration.ofSeconds(10));
        limiter.block("key", Duration.ofSeconds(5));

        assertEquals(Duration.ofSeconds(10), limiter.tryAcquire("key").retryAfter());
        assertEquals(
                Duration.ofSeconds(10),
                limiter.reserve("key", 1, Duration.ofMinutes(1)).decision().waitTime());
        time.advance(Duration.ofSeconds(10));
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
    final void attempts_countEvenIfAnotherLimitDenied() {
        RateLimiter limiter = limiter("attempts", "1/1m", "sliding-log 2/10m count=attempts name=attempts");
        assertTrue(limiter.tryAcquire("key").allowed());
        assertFalse(limiter.tryAcquire("key").allowed());
        time.advance(Duration.ofMinutes(1));

        assertEquals("attempts", limiter.tryAcquire("key").limit().name());
    }

    @Test
    final void block_isReported_andUnblockLiftsIt() {
        RateLimiter limiter = limiter("unblock", "3/1s");
        limiter.tryAcquire("key");
        limiter.block("key", Duration.ofHours(1));
        assertTrue(limiter.tryAcquire("key").blocked());
        assertTrue(limiter.peek("key").blocked());
        limiter.unblock("key");
        time.advanceNanos(tickNanos());

        Decision allowed = limiter.tryAcquire("key");
        assertTrue(allowed.allowed());
        assertFalse(allowed.blocked());
        assertEquals(1, allowed.remaining());
    }

    @Test
    final void statuses_ofSeveralLimits_comeFromTheSameStep() {
        RateLimiter limiter = limiter("statuses", "2/1s", "5/1m name=minute");
        Decision allowed = limiter.tryAcquire("key", 2);
        assertEquals(List.of(0L, 3L), remaining(allowed));

        Decision denied = limiter.tryAcquire("key");
        assertEquals(List.of(0L, 3L), remaining(denied));
        assertEquals(Duration.ofSeconds(1), denied.statuses().get(0).retryAfter());
        assertEquals(Duration.ZERO, denied.statuses().get(1).retryAfter());
        assertEquals(Duration.ofMinutes(1), denied.statuses().get(1).resetAfter());
        assertEquals("minute", denied.statuses().get(1).limit().name());
        limiter.block("key", Duration.ofSeconds(10));
        assertEquals(List.of(0L, 0L), remaining(limiter.peek("key")));
    }

    @Test
    final void statuses_ofAJointRequest_nameEachRequest() {
        RateLimiter user = limiter("user-status", "5/1s");
        RateLimiter tenant = limiter("tenant-status", "2/1s", "9/1m name=minute");
        RateLimiter.tryAcquireAll(user.request("alice", 3), tenant.request("acme", 1));
        Decision denied = RateLimiter.tryAcquireAll(user.request("alice", 1), tenant.request("acme", 2));

        assertFalse(denied.allowed());
        assertEquals(List.of(2L, 1L, 8L), remaining(denied));
        assertEquals(
                List.of(0, 1, 1),
                denied.statuses().stream().map(Status::request).toList());
        assertEquals(Duration.ZERO, denied.statuses().get(0).retryAfter());
        assertEquals(Duration.ofSeconds(1), denied.statuses().get(1).retryAfter());
    }

    private static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(Status::remaining).toList();
    }

    @Test
    final void unlimited_neverDenies_unlessBlocked() {
        RateLimiter limiter = limiter("unlimited", "unlimited");
        for (int i = 0; i < 3; i++) {
            Decision allowed = limiter.tryAcquire("key", 1_000_000_000_000L);
            assertTrue(allowed.allowed());
            assertEquals(Long.MAX_VALUE, allowed.remaining());
        }
        limiter.block("key", Duration.ofSeconds(1));
        assertTrue(limiter.tryAcquire("key").blocked());
    }

    @Test
    final void inspect_reportsRunsPendingReservationsAndFits() {
        RateLimiter limiter = limiter("inspect", "10/1s");
        Instant start = Instant.ofEpochSecond(0, time.nanos());
        limiter.tryAcquire("key", 4);
        time.advance(Duration.ofMillis(200));
        limiter.tryAcquire("key", 6);
        limiter.reserve("key", 2, Duration.ofMinutes(1));
        limiter.block("key", Duration.ofMillis(500));

        KeySnapshot snapshot = limiter.inspect("key");
        Instant now = start.plusMillis(200);
        assertEquals(now, snapshot.time());
        assertEquals(Optional.of(now.plusMillis(500)), snapshot.blockedUntil());
        assertEquals(1, snapshot.limits().size());
        KeySnapshot.LimitSnapshot log = snapshot.limits().get(0);
        assertEquals(List.of(new Run(start, 4), new Run(now, 6)), log.runs());
        assertEquals(List.of(new Run(start.plusSeconds(1), 2)), log.pending());
        assertEquals(0, log.remaining());
        assertFalse(log.truncated());
        assertEquals(
                List.of(
                        new Fit(1, start.plusSeconds(1)),
                        new Fit(5, start.plusMillis(1200)),
                        new Fit(10, start.plusMillis(2000))),
                log.fits());

        KeySnapshot newest = limiter.inspect("key", 1);
        assertEquals(List.of(new Run(now, 6)), newest.limits().get(0).runs());
        assertTrue(newest.limits().get(0).truncated());
        assertEquals(10, limiter.inspect("other").limits().get(0).remaining());
    }

    @Test
    final void inspect_writesNothing() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("inspect-only", limit);
            String key = "inspect " + limit;
            limiter.tryAcquire(key, 2);
            Decision before = limiter.peek(key, 2);
            limiter.inspect(key);
            assertEquals(before, limiter.peek(key, 2), limit);
        }
    }

    @Test
    final void asynchronousForms_doWhatTheOthersDo() {
        RateLimiter limiter = limiter("async", "2/1s");
        assertTrue(limiter.tryAcquireAsync("key").join().allowed());
        assertEquals(1, limiter.peekAsync("key").join().remaining());
        limiter.blockAsync("key", Duration.ofSeconds(5)).join();
        assertTrue(limiter.peekAsync("key").join().blocked());
        limiter.unblockAsync("key").join();
        assertFalse(limiter.peekAsync("key").join().blocked());
        limiter.resetAsync("key").join();
        time.advanceNanos(tickNanos());
        assertEquals(2, limiter.inspectAsync("key").join().limits().get(0).remaining());
        assertTrue(limiter.reserveAsync("key", Duration.ZERO).join().decision().allowed());
        Reservation waiting =
                limiter.reserveAsync("key", 2, Duration.ofMinutes(1)).join();
        assertTrue(waiting.decision().allowed());
    }

    @Test
    final void keysOfAnyText_areTheirOwn() {
        RateLimiter limiter = limiter("text", "1/1s");
        String longest = "k".repeat(1024);
        for (String key : List.of(
                "a",
                " a",
                "a b",
                "a\nb",
                "{a}",
                "a\u0000b",
                "\uD83D\uDE00",
                "?",
                "\uD800",
                "\uDC00",
                longest,
                longest.substring(1))) {
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
            time.advanceNanos(random.nextInt(30_000_000) / tickNanos() * tickNanos());
            long permits = random.nextLong(1, 4);
            Reservation reservation = limiter.reserve("key", permits, Duration.ofMillis(random.nextInt(200)));
            if (reservation.decision().allowed()) {
                long at = time.nanos() + reservation.decision().waitNanos();
                trace.add(new TraceEvent(at, "key", permits, TraceEvent.Kind.ALLOWED));
                if (random.nextInt(4) == 0 && reservation.cancel()) {
                    trace.add(new TraceEvent(at, "key", permits, TraceEvent.Kind.REFUNDED));
                }
            }
        }
        assertNull(TraceChecker.check(limit, trace).violation());
    }
}
