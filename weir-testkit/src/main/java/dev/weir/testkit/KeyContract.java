package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.KeySnapshot.Fit;
import dev.weir.KeySnapshot.LimitSnapshot;
import dev.weir.KeySnapshot.Run;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.store.StoreStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The part of {@link StoreContract} that is about the text of keys, time sources, and calls that grant nothing. */
@SuppressWarnings("CheckReturnValue") // many requests are made for their effect
abstract class KeyContract {
    static final List<String> EVERY_ALGORITHM =
            List.of("3/1s", "sliding-window 3/1s", "fixed-window 3/1s", "token-bucket 3/1s", "gcra 3/1s burst=3");

    /** The time source of the store and of its limiters. */
    protected final ManualTimeSource time = new ManualTimeSource();

    Store store;

    /**
     * Creates the store to test. One test creates another one, on a time source of its own, and closes it.
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

    final RateLimiter limiter(String name, String... limits) {
        return RateLimiter.builder()
                .name(name)
                .limits(Limits.parse(limits))
                .store(store)
                .build();
    }

    static void assertAllowed(Decision decision) {
        assertTrue(decision.allowed(), decision::toString);
    }

    static void assertDenied(Decision decision) {
        assertFalse(decision.allowed(), decision::toString);
    }

    static void assertBlocked(Decision decision) {
        assertTrue(decision.blocked(), () -> "not blocked: " + decision);
    }

    static List<Long> remaining(Decision decision) {
        return decision.statuses().stream().map(Status::remaining).toList();
    }

    @Test
    final void timeSource_isThatOfTheTest() {
        assertSame(time, store.timeSource());
    }

    @Test
    final void statistics_areNotNegative() {
        assertAllowed(limiter("statistics", "1/1s").tryAcquire("key"));
        StoreStatistics statistics = store.statistics();

        assertTrue(statistics.keys().orElse(0) >= 0, statistics.toString());
        assertTrue(statistics.callsInFlight() >= 0, statistics.toString());
        assertTrue(statistics.roundTrips() >= 0 && statistics.roundTripNanos() >= 0, statistics.toString());
        assertTrue(statistics.longestRoundTripNanos() >= 0 && statistics.requests() >= 0, statistics.toString());
    }

    @Test
    final void tryAcquire_otherKeysAndOtherLimiters_countApart() {
        RateLimiter one = limiter("apart", "1/1s");
        RateLimiter other = limiter("Apart", "1/1s");

        assertAllowed(one.tryAcquire("a"));
        assertAllowed(one.tryAcquire("b"));
        assertAllowed(other.tryAcquire("a"));
        assertDenied(one.tryAcquire("a"));
        for (String separator : List.of("", "-", ".", "_")) {
            assertAllowed(limiter("n" + separator + "1", "1/1s").tryAcquire("k"));
            assertAllowed(limiter("n", "1/1s").tryAcquire("1" + separator + "k"));
        }
    }

    @Test
    final void keysOfAnyText_areDistinct() {
        RateLimiter limiter = limiter("text", "1/1s");
        String longest = "k".repeat(1024);
        for (String key : List.of(
                "a",
                "A",
                " a",
                "a ",
                "a b",
                "a\nb",
                "{a}",
                "a\u0000b",
                "\uD83D\uDE00",
                "?",
                "*",
                "%",
                "_",
                "e",
                "\u00E9",
                "e\u0301",
                "Aa",
                "BB", // the hash code of "Aa"
                "\uD800",
                "\uDC00",
                longest,
                longest.substring(1))) {
            assertTrue(limiter.tryAcquire(key).allowed(), key);
            assertFalse(limiter.tryAcquire(key).allowed(), key);
        }
    }

    @Test
    final void peek_anyNumberOfTimes_writesNothing() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("peek", limit);
            String key = "peek " + limit;
            for (int i = 0; i < 10; i++) {
                Decision seen = limiter.peek(key, 2);
                assertEquals(3, seen.remaining(), limit);
                assertEquals(time.nanos(), seen.timeNanos(), limit);
            }
            limiter.tryAcquire(key, 3);
            Decision peeked = limiter.peek(key, 2);
            assertEquals(limiter.tryAcquire(key, 2), peeked, limit);
        }
    }

    @Test
    final void reset_clearsLogsAndBlock_andOldReservationsRefundNothing() {
        RateLimiter limiter = limiter("reset", "3/1h", "4/1d");
        RateLimiter other = limiter("reset-other", "3/1h");
        assertAllowed(other.tryAcquire("key"));
        Reservation before = limiter.reserve("key", 3, Duration.ZERO);
        Reservation pending = limiter.reserve("key", 1, Duration.ofHours(1));
        assertEquals(Duration.ofHours(1), pending.decision().waitTime());
        limiter.block("key", Duration.ofHours(2));
        assertBlocked(limiter.tryAcquire("key"));
        limiter.reset("key");
        time.advanceNanos(tickNanos());

        assertAllowed(limiter.tryAcquire("key", 3));
        before.cancel();
        pending.cancel();
        assertEquals(List.of(0L, 1L), remaining(limiter.peek("key")));
        assertEquals(2, other.peek("key").remaining());
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
        assertEquals(Optional.empty(), limiter.inspect("key").blockedUntil());
        limiter.block("key", Duration.ofSeconds(Long.MAX_VALUE));
        Decision longest = limiter.tryAcquire("key");
        assertBlocked(longest);
        assertFalse(longest.never(), "the longest block ends: " + longest);
    }

    @Test
    final void block_isReported_andUnblockLiftsIt() {
        RateLimiter limiter = limiter("unblock", "3/1s");
        limiter.tryAcquire("key");
        limiter.block("key", Duration.ofHours(1));
        assertBlocked(limiter.tryAcquire("key"));
        assertBlocked(limiter.peek("key"));
        limiter.unblock("key");
        time.advanceNanos(tickNanos());

        Decision allowed = limiter.tryAcquire("key");
        assertAllowed(allowed);
        assertEquals(1, allowed.remaining());
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
        LimitSnapshot log = snapshot.limits().get(0);
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

        assertEquals(10, limiter.inspect("other").limits().get(0).remaining());
    }

    @Test
    final void inspect_severalLimitsOfABlockedKey_reportsEach() {
        RateLimiter limiter = limiter("inspect-each", "10/1s", "token-bucket 4/1s burst=20 name=tokens");
        Instant now = Instant.ofEpochSecond(0, time.nanos());
        limiter.tryAcquire("key", 5);
        limiter.block("key", Duration.ofHours(1));

        KeySnapshot snapshot = limiter.inspect("key");
        assertEquals(
                limiter.limits("key").list(),
                snapshot.limits().stream().map(LimitSnapshot::limit).toList());
        LimitSnapshot log = snapshot.limits().get(0);
        LimitSnapshot tokens = snapshot.limits().get(1);
        assertEquals(5, log.remaining(), "as if the key were not blocked");
        assertEquals(15, tokens.remaining(), "as if the key were not blocked");
        assertEquals(List.of(), tokens.runs());
        assertEquals(
                List.of(new Fit(1, now), new Fit(2, now), new Fit(10, now), new Fit(20, now.plusMillis(1250))),
                tokens.fits());
    }

    @Test
    final void inspect_moreRunsThanRequested_reportsTheNewest() {
        RateLimiter limiter = limiter("inspect-newest", "2/1s");
        Instant start = Instant.ofEpochSecond(0, time.nanos());
        limiter.tryAcquire("key");
        for (int i = 0; i < 3; i++) {
            limiter.reserve("key", 1, Duration.ofMinutes(1));
        }
        LimitSnapshot newest = limiter.inspect("key", 1).limits().get(0);
        assertEquals(List.of(new Run(start, 2)), newest.runs());
        assertEquals(List.of(new Run(start.plusSeconds(1), 2)), newest.pending());
        assertFalse(newest.truncated());
        limiter.reserve("key", 1, Duration.ofMinutes(1));
        newest = limiter.inspect("key", 1).limits().get(0);
        assertEquals(List.of(new Run(start.plusSeconds(2), 1)), newest.pending());
        assertTrue(newest.truncated());
        time.advance(Duration.ofMillis(2500));
        limiter.tryAcquire("key");
        newest = limiter.inspect("key", 1).limits().get(0);
        assertEquals(List.of(new Run(start.plusMillis(2500), 1)), newest.runs());
        assertTrue(newest.truncated());
        assertEquals(List.of(), limiter.inspect("key", 0).limits().get(0).runs());
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
    final void peekAndInspect_underOtherLimits_writeNothing() {
        RateLimiter limiter = limiter("look", "3/1s", "5/1m");
        limiter.tryAcquire("key", 2);
        limiter.changeLimits(Limits.parse("fixed-window 3/1s"));
        limiter.peek("key");
        limiter.inspect("key");
        limiter.changeLimits(Limits.parse("3/1s", "5/1m"));

        assertEquals(List.of(1L, 3L), remaining(limiter.peek("key")));
        limiter.changeLimits(Limits.parse("fixed-window 3/1s"));
        limiter.tryAcquire("key", 2);
        limiter.changeLimits(Limits.parse("fixed-window 3/1h"));
        limiter.peek("key");
        limiter.inspect("key");
        time.advance(Duration.ofSeconds(1));
        limiter.changeLimits(Limits.parse("fixed-window 3/1s"));

        assertEquals(3, limiter.peek("key").remaining());
    }

    @Test
    final void asynchronousMethods_equalBlockingOnes() {
        RateLimiter limiter = limiter("async", "2/1s");
        assertAllowed(limiter.tryAcquireAsync("key").join());
        assertEquals(1, limiter.peekAsync("key").join().remaining());
        limiter.blockAsync("key", Duration.ofSeconds(5)).join();
        assertBlocked(limiter.peekAsync("key").join());
        limiter.unblockAsync("key").join();
        assertAllowed(limiter.peekAsync("key").join());
        limiter.resetAsync("key").join();
        time.advanceNanos(tickNanos());
        assertEquals(2, limiter.inspectAsync("key").join().limits().get(0).remaining());
        assertAllowed(limiter.reserveAsync("key", Duration.ZERO).join().decision());
        Reservation waiting =
                limiter.reserveAsync("key", 2, Duration.ofMinutes(1)).join();
        assertAllowed(waiting.decision());
        assertAllowed(RateLimiter.tryAcquireAllAsync(limiter.request("a", 1), limiter.request("b", 2))
                .join());
        assertEquals(0, limiter.peek("b").remaining());
    }
}
