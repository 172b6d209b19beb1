package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import dev.weir.testkit.TraceProperty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The guarantee of each limit holds for all admitted requests: several limits, several keys, several threads. */
@Tag("large")
class PromiseTest {
    private static final List<String> LIMITS = List.of(
            "3/20ns",
            "sliding-log 4/30ns resolution=7ns",
            "sliding-window 5/24ns buckets=4",
            "sliding-window 5/24ns buckets=4 estimate=classic",
            "fixed-window 4/16ns",
            "fixed-window 4/16ns align=first",
            "token-bucket 3/20ns burst=4",
            "gcra 5/18ns",
            "leaky-bucket 4/20ns capacity=6");

    /** Advances the clock, then requests permits for one key or two together. */
    private record Step(long pass, boolean waits, boolean together, long permits, long maxWait, int refund) {}

    /** A reservation, its start and its requests. */
    private record Reserved(Reservation reservation, long at, List<Request> requests) {}

    @Test
    void anyTwoLimitsAndKeysTogether_everyBoundHolds() {
        for (String first : LIMITS) {
            for (String second : LIMITS) {
                Limits limits = Limits.parse(first, second + " name=second");
                TraceProperty.check(
                        7,
                        120,
                        80,
                        random -> new Step(
                                random.nextInt(5),
                                random.nextInt(3) == 0,
                                random.nextInt(3) == 0,
                                random.nextLong(1, 4),
                                random.nextInt(100),
                                random.nextInt(40)),
                        trace -> boundsHold(limits, trace));
            }
        }
    }

    private static void boundsHold(Limits limits, List<Step> trace) {
        ManualTimeSource clock = new ManualTimeSource(10_000);
        MemoryStore store = MemoryStore.builder().timeSource(clock).build();
        RateLimiter users =
                RateLimiter.builder().name("user").limits(limits).store(store).build();
        RateLimiter tenants =
                RateLimiter.builder().name("tenant").limits(limits).store(store).build();
        List<Reserved> reserved = new ArrayList<>();
        Map<String, List<TraceEvent>> events = new TreeMap<>();
        for (Step step : trace) {
            clock.advanceNanos(step.pass);
            List<Request> requests = new ArrayList<>();
            requests.add(users.request("u", step.permits));
            if (step.together) {
                requests.add(tenants.request("t", 1));
            }
            Reservation reservation = RateLimiter.reserveAll(
                    Duration.ofNanos(step.waits ? step.maxWait : 0), requests.toArray(Request[]::new));
            Decision decision = reservation.decision();
            if (decision.allowed()) {
                long at = clock.nanos() + decision.waitNanos();
                reserved.add(new Reserved(reservation, at, requests));
                note(events, requests, at, Kind.ALLOWED);
            }
            if (step.refund < reserved.size()) {
                Reserved back = reserved.remove(step.refund);
                back.reservation.cancel();
                note(events, back.requests, back.at, Kind.REFUNDED);
            }
        }
        for (List<TraceEvent> ofLimiter : events.values()) {
            for (Limit limit : limits.list()) {
                assertThat(TraceChecker.check(limit, ofLimiter).violation())
                        .as("%s in %s", limit, limits)
                        .isNull();
            }
        }
    }

    private static void note(Map<String, List<TraceEvent>> events, List<Request> requests, long at, Kind kind) {
        for (Request request : requests) {
            events.computeIfAbsent(request.key(), key -> new ArrayList<>())
                    .add(new TraceEvent(at, request.key(), request.permits(), kind));
        }
    }

    @Test
    void eightThreadsOnOneKey_neverTooManyAndNoneLost() throws Exception {
        assertThat(admittedByThreads("100/1h", 8, 400)).isEqualTo(100);
        assertThat(admittedByThreads("token-bucket 100/1d", 8, 400)).isEqualTo(100);
        assertThat(admittedByThreads("fixed-window 100/1d align=first", 8, 400)).isEqualTo(100);
    }

    private static long admittedByThreads(String limit, int threads, int calls)
            throws InterruptedException, ExecutionException {
        RateLimiter limiter = RateLimiter.of(Limit.parse(limit));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> counts = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            counts.add(pool.submit(() -> {
                start.await();
                int admitted = 0;
                for (int i = 0; i < calls; i++) {
                    admitted += limiter.tryAcquire("key").allowed() ? 1 : 0;
                }
                return admitted;
            }));
        }
        start.countDown();
        long admitted = 0;
        for (Future<Integer> count : counts) {
            admitted += count.get();
        }
        pool.shutdown();
        assertThat(pool.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        return admitted;
    }

    @Test
    void threadsTakingTwoKeysInOppositeOrder_neitherDeadlockNorHalfReservations() throws Exception {
        MemoryStore store = MemoryStore.create();
        RateLimiter a =
                RateLimiter.builder().name("a").limit("1000/1h").store(store).build();
        RateLimiter b =
                RateLimiter.builder().name("b").limit("1500/1h").store(store).build();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Integer>> counts = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            boolean forward = t % 2 == 0;
            counts.add(pool.submit(() -> {
                int admitted = 0;
                for (int i = 0; i < 1000; i++) {
                    Decision decision = forward
                            ? RateLimiter.tryAcquireAll(a.request("k", 1), b.request("k", 2))
                            : RateLimiter.tryAcquireAll(b.request("k", 2), a.request("k", 1));
                    admitted += decision.allowed() ? 1 : 0;
                }
                return admitted;
            }));
        }
        int admitted = 0;
        for (Future<Integer> count : counts) {
            admitted += count.get(60, TimeUnit.SECONDS);
        }
        pool.shutdown();

        assertThat(admitted).isEqualTo(750);
        assertThat(a.peek("k").remaining()).isEqualTo(250);
        assertThat(b.peek("k").remaining()).isZero();
    }
}
