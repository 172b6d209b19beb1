package dev.weir.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Store} as tests to inherit (JUnit Jupiter). A subclass creates the store on the time source it receives;
 * it is closed after the test. Each test uses keys of its own, so that stores may share a server.
 */
@SuppressWarnings("CheckReturnValue") // many requests are made for their effect
public abstract class StoreContract extends LimitContract {
    /** For subclasses. */
    protected StoreContract() {}

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
        assertDenied(limiter.reserve("key", 1, Duration.ofMillis(3999)).decision());
        assertAllowed(limiter.reserve("key", 1, Duration.ofSeconds(4)).decision());
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
        Decision blocked = limiter.peek("key");
        assertEquals(List.of(0L, 0L), remaining(blocked));
        for (Status status : blocked.statuses()) {
            assertEquals(Duration.ofSeconds(10), status.retryAfter(), status::toString);
        }
    }

    @Test
    final void statuses_ofAJointRequest_nameEachRequest() {
        RateLimiter user = limiter("user-status", "5/1s");
        RateLimiter tenant = limiter("tenant-status", "2/1s", "9/1m name=minute");
        RateLimiter.tryAcquireAll(user.request("alice", 3), tenant.request("acme", 1));
        Decision denied = RateLimiter.tryAcquireAll(user.request("alice", 1), tenant.request("acme", 2));

        assertDenied(denied);
        assertEquals(List.of(2L, 1L, 8L), remaining(denied));
        assertEquals(
                List.of(0, 1, 1),
                denied.statuses().stream().map(Status::request).toList());
        assertEquals(Duration.ZERO, denied.statuses().get(0).retryAfter());
        assertEquals(Duration.ofSeconds(1), denied.statuses().get(1).retryAfter());
    }

    @Test
    final void denial_namesTheLimitThatFitsLatest() {
        RateLimiter limiter = limiter("latest", "3/1s", "4/1h name=hourly");
        assertAllowed(limiter.tryAcquire("key", 3));
        Decision denied = limiter.tryAcquire("key", 2);

        assertEquals("hourly", denied.limit().name());
        assertEquals(Duration.ofHours(1), denied.retryAfter());
        assertEquals(0, denied.remaining());
    }

    @Test
    final void sixteenLimits_allHold() {
        String[] limits = new String[16];
        Arrays.fill(limits, "9/1s");
        limits[15] = "1/1s";
        RateLimiter limiter = limiter("limits", limits);

        assertEquals(16, limiter.tryAcquire("key").statuses().size());
        assertDenied(limiter.tryAcquire("key"));
    }

    @Test
    final void sixtyFourRequests_areDecidedTogether() {
        RateLimiter limiter = limiter("requests", "2/1s");
        Request[] requests = new Request[64];
        Arrays.setAll(requests, i -> limiter.request("key " + i, 1));
        limiter.tryAcquire("key 63");

        assertAllowed(RateLimiter.tryAcquireAll(requests));
        assertDenied(RateLimiter.tryAcquireAll(requests));
        assertEquals(1, limiter.peek("key 0").remaining());
        assertEquals(0, limiter.peek("key 63").remaining());
    }

    @Test
    final void reserveAll_ifOneWaits_grantsAllAtTheSameInstant() {
        RateLimiter user = limiter("user-wait", "2/1s");
        RateLimiter tenant = limiter("tenant-wait", "1/1s");
        tenant.tryAcquire("acme");
        Reservation waiting =
                RateLimiter.reserveAll(Duration.ofMinutes(1), user.request("alice", 1), tenant.request("acme", 1));
        assertEquals(Duration.ofSeconds(1), waiting.decision().waitTime());
        time.advance(Duration.ofSeconds(1));

        assertEquals(List.of(1L), remaining(user.peek("alice")));
        assertEquals(List.of(0L), remaining(tenant.peek("acme")));
        waiting.cancel();
        assertEquals(2, user.peek("alice").remaining());
        assertEquals(1, tenant.peek("acme").remaining());
    }

    @Test
    final void refund_thenCancel_releaseEachPermitOnce() {
        for (String limit : List.of("10/1s", "sliding-window 10/1s", "fixed-window 10/1s")) {
            RateLimiter limiter = limiter("refund", limit, "20/1h");
            String key = "refund " + limit;
            Reservation reservation = limiter.reserve(key, 6, Duration.ZERO);
            limiter.tryAcquire(key, 4);
            reservation.refund(2);
            assertEquals(List.of(2L, 12L), remaining(limiter.peek(key)), limit);
            reservation.cancel();
            assertEquals(List.of(6L, 16L), remaining(limiter.peek(key)), limit);
        }
    }

    @Test
    final void cancel_afterThePermitsExpired_releasesNothing() {
        for (String limit : EVERY_ALGORITHM) {
            RateLimiter limiter = limiter("expired", limit);
            String key = "expired " + limit;
            Reservation expired = limiter.reserve(key, 3, Duration.ZERO);
            time.advance(Duration.ofSeconds(2));
            assertAllowed(limiter.tryAcquire(key, 3));
            expired.cancel();
            assertDenied(limiter.tryAcquire(key));
        }
    }

    @Test
    final void reserveAsync_cancelledWhileItIsDecided_releasesThePermits() {
        RateLimiter limiter = limiter("unwanted", "200/1h");
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Reservation> unwanted = limiter.reserveAsync("key", Duration.ZERO);
            for (int spin = 0; spin < 5 * i; spin++) {
                Thread.onSpinWait(); // so that some are being decided
            }
            if (!unwanted.cancel(false)) {
                unwanted.join().cancel();
            }
        }
        long deadline = System.nanoTime() + 10_000_000_000L; // for replies that arrive later
        while (limiter.peek("key").remaining() < 200 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }

        assertEquals(200, limiter.peek("key").remaining());
    }

    @Test
    final void reservation_manyWindowsAhead_isKeptUntilItExpires() {
        RateLimiter limiter = limiter("ahead", "1/1s");
        for (int i = 0; i < 10; i++) {
            limiter.reserve("key", 1, Duration.ofMinutes(1));
        }
        time.advance(Duration.ofMillis(8500));

        assertEquals(
                Duration.ofMillis(1500),
                limiter.reserve("key", 1, Duration.ofMinutes(1)).decision().waitTime());
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
