package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.testkit.History.Disturbance;
import dev.weir.testkit.History.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The promises of limits, as tests of a {@link Store} to inherit (JUnit Jupiter). Random histories of requests, reservations, refunds,
 * joint requests, blocks, resets and changed limits run on the store, and what it grants is counted against the bound that each
 * limit states. The counting shares no code with any store and does not simulate one, so it also finds a rule that every store has
 * wrong. A denial must be necessary, retry-after and reset-after exact, remaining permits available, and no permit may be lost. A
 * decision must show its most restrictive limit.
 *
 * <p>{@code -Dweir.traces=1000000} sets about how many histories all tests run together. A failure reports the seed, and the calls of
 * the shrunk history with their answers.
 */
public abstract class PromiseContract {
    private static final long START_NANOS = 1_700_000_000_000_000_000L;
    private static final int LONG = 100; // permits and ticks of long histories are as many times as large
    private static final int LONG_STEPS = 900;
    private static final int LOGS = 6; // the first kinds
    private static final int THREADS = 4;
    private static final int PERMITS_OF_THREADS = 20;
    private static final AtomicLong HISTORIES = new AtomicLong();
    private static final long TRACES = Long.getLong("weir.traces", 10_000);

    /** For subclasses. */
    protected PromiseContract() {}

    /**
     * Creates the store to test, or returns one whose time source is set to this one. Called for each of some thousand
     * histories, which have keys of their own and do not close the store.
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

    /**
     * Loses state of keys as the store may at any time, for example by eviction of a part. By default, nothing.
     *
     * @param keys requests for the keys
     */
    protected void evict(List<Request> keys) {}

    /** Sets the store's own clock back by more than the time since the latest request. By default, nothing. */
    protected void setClockBack() {}

    /**
     * Returns by what the number of histories is divided, for a store that takes longer for each request.
     *
     * @return by default 1
     */
    protected int slowness() {
        return 1;
    }

    private Duration ticks(long ticks) {
        return Duration.ofNanos(ticks * tickNanos());
    }

    private static long permits(SplittableRandom random, int size) {
        return 1L + random.nextInt(size > 50 ? 6 * size : 6);
    }

    private Duration window(SplittableRandom random, int size) {
        return ticks(10L + random.nextInt(20 * size));
    }

    private Limit.SlidingLog log(SplittableRandom random, int size) {
        return Limit.slidingLog(permits(random, size), window(random, size)).resolution(ticks(1));
    }

    /** Returns limits of each kind, with the given largest number of permits and longest window in ticks. */
    private List<BiFunction<SplittableRandom, Integer, Limit>> kinds() {
        return List.of(
                (random, size) -> log(random, size),
                (random, size) -> log(random, size).resolution(ticks(1 + random.nextInt(2 + size / 50))),
                (random, size) -> log(random, size).margin(ticks(random.nextInt(9))),
                (random, size) -> log(random, size).count(Limit.SlidingLog.Count.ATTEMPTS),
                (random, size) -> Limit.slidingWindow(permits(random, size), window(random, size))
                        .buckets(1 + random.nextInt(6)),
                (random, size) -> Limit.slidingWindow(permits(random, size), window(random, size))
                        .buckets(1 + random.nextInt(6))
                        .estimate(Limit.SlidingWindow.Estimate.CLASSIC),
                (random, size) -> Limit.fixedWindow(permits(random, size), window(random, size)),
                (random, size) -> Limit.fixedWindow(permits(random, size), window(random, size))
                        .align(Limit.FixedWindow.Align.FIRST),
                (random, size) -> Limit.tokenBucket(permits(random, size), window(random, size))
                        .burst(1 + random.nextInt(8)),
                (random, size) ->
                        Limit.gcra(permits(random, size), window(random, size)).burst(1 + random.nextInt(4)),
                (random, size) -> Limit.leakyBucket(permits(random, size), window(random, size))
                        .capacity(1 + random.nextInt(8)),
                (random, size) -> Limit.unlimited());
    }

    /** Returns limits of the given kinds, whose names are their positions in the list. */
    private Limits limits(SplittableRandom random, int size, List<Integer> of) {
        List<Limit> list = new ArrayList<>();
        for (int kind : of) {
            list.add(kinds().get(kind).apply(random, size).named("n" + list.size()));
        }
        return Limits.of(list);
    }

    private void check(
            long seed,
            long cases,
            int steps,
            int size,
            @Nullable Disturbance disturbance,
            Function<SplittableRandom, List<List<Limits>>> any) {
        check(seed, cases, steps, random -> Step.any(random, size), disturbance, any);
    }

    private void check(
            long seed,
            long cases,
            int steps,
            Function<SplittableRandom, Step> step,
            @Nullable Disturbance disturbance,
            Function<SplittableRandom, List<List<Limits>>> any) {
        for (long s = seed; s < seed + Math.max(1, cases * TRACES / 10_000 / slowness()); s++) {
            List<List<Limits>> limits = any.apply(new SplittableRandom(~s));
            Setting setting = new Setting(limits, tickNanos(), disturbance);
            TraceProperty.check(s, 1, steps, step, trace -> {
                ManualTimeSource time = new ManualTimeSource(START_NANOS);
                new History(setting, store(time), time, "h" + HISTORIES.getAndIncrement() + "-").run(trace);
            });
        }
    }

    private List<Limits> one(SplittableRandom random, int size, int kind) {
        return List.of(limits(random, size, List.of(kind)));
    }

    private int any(SplittableRandom random) {
        return random.nextInt(kinds().size());
    }

    /** A limit of each kind, with requests for another key and limit at times. */
    @Test
    final void oneLimit_anyHistory_keepsItsPromises() {
        for (int kind = 0; kind < kinds().size(); kind++) {
            int of = kind;
            check(
                    1_000_000L * kind,
                    200,
                    150,
                    1,
                    null,
                    random -> List.of(one(random, 1, of), one(random, 1, any(random))));
        }
    }

    /**
     * Windows that requests open must not overlap, whatever is cancelled, and wherever other limits and blocks let requests start.
     * Histories that break a simpler rule are rare: from each of these seeds on there is one.
     */
    @Test
    final void windowsFromTheFirstRequest_manyReserved_keepTheBound() {
        for (long seed : new long[] {15_012_350L, 15_014_800L}) {
            check(seed, 1_500, 120, Step::amongWindows, null, random -> {
                Limit windows = Limit.fixedWindow(1 + random.nextInt(2), ticks(4 + random.nextInt(4)))
                        .align(Limit.FixedWindow.Align.FIRST);
                Limits other = limits(random, 1, List.of(7, random.nextInt(kinds().size()))); // of which only some wait
                return List.of(List.of(random.nextBoolean() ? Limits.of(windows) : other), one(random, 1, any(random)));
            });
        }
    }

    @Test
    final void severalLimits_anyHistory_keepTheirPromises() {
        check(20_000_000L, 800, 150, 1, null, random -> {
            List<Integer> of = random.ints(2 + random.nextInt(2), 0, kinds().size())
                    .boxed()
                    .toList();
            return List.of(List.of(limits(random, 1, of)), one(random, 1, any(random)));
        });
    }

    /** Limits that change their numbers, their options and at times their algorithm. */
    @Test
    final void changedLimits_anyHistory_keepTheirPromises() {
        check(30_000_000L, 1_600, 150, 1, null, this::changedOf);
    }

    private List<List<Limits>> changedOf(SplittableRandom random) {
        int kind = any(random);
        List<Limits> alternatives = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            List<Integer> of = List.of(random.nextInt(3) == 0 ? any(random) : kind, any(random));
            alternatives.add(limits(random, 1, of.subList(0, 1 + random.nextInt(2))));
        }
        return List.of(alternatives, one(random, 1, any(random)));
    }

    /** Many grants and reservations in long windows. */
    @Test
    final void longHistory_anyLog_keepsItsPromises() {
        check(
                40_000_000L,
                240,
                LONG_STEPS,
                LONG,
                null,
                random -> List.of(one(random, LONG, random.nextInt(LOGS)), one(random, LONG, random.nextInt(LOGS))));
    }

    @Test
    final void longHistory_changedLogsAndEvictedState_keepsTheBounds() {
        check(45_000_000L, 300, LONG_STEPS, LONG, (which, keys) -> evict(keys), random -> {
            int kind = random.nextInt(LOGS);
            List<Limits> alternatives = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                alternatives.addAll(one(random, LONG, kind));
            }
            return List.of(alternatives, one(random, LONG, kind));
        });
    }

    @Test
    final void anyHistory_clockSetBackAndEvictedState_keepsTheBounds() {
        check(
                50_000_090L,
                600,
                150,
                1,
                this::disturb,
                random -> List.of(one(random, 1, any(random)), one(random, 1, any(random))));
        check(
                55_000_000L,
                120,
                LONG_STEPS,
                LONG,
                this::disturb,
                random -> List.of(one(random, LONG, any(random)), one(random, LONG, any(random))));
    }

    /** Threads that request permits of one key together are granted its limit, and what they cancel is available again. */
    @Test
    final void oneKey_requestedByManyThreads_isGrantedItsLimit() throws Exception {
        RateLimiter limiter = limiterOfThreads(store(new ManualTimeSource(START_NANOS)), "threads");
        requestInThreads((key, thread) -> List.of(limiter.request(key, 1)));
    }

    /** The same for two keys that are requested together, in any order. */
    @Test
    final void twoKeys_requestedTogetherByManyThreads_areGrantedTheirLimit() throws Exception {
        Store store = store(new ManualTimeSource(START_NANOS));
        RateLimiter one = limiterOfThreads(store, "threads-1");
        RateLimiter other = limiterOfThreads(store, "threads-2");
        requestInThreads((key, thread) -> thread % 2 == 0
                ? List.of(one.request(key, 1), other.request(key, 1))
                : List.of(other.request(key, 1), one.request(key, 1)));
    }

    private RateLimiter limiterOfThreads(Store store, String name) {
        return RateLimiter.builder()
                .name(name)
                .limit(Limit.slidingLog(PERMITS_OF_THREADS, ticks(1000)))
                .store(store)
                .build();
    }

    /** Requests all permits of new keys in several threads; the function returns what a thread requests together for a key. */
    private void requestInThreads(BiFunction<String, Integer, List<Request>> requests) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (long round = Math.max(10, TRACES / 20 / slowness()); round > 0; round--) {
                String key = "h" + HISTORIES.getAndIncrement();
                List<Callable<Long>> tasks = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    Request[] together = requests.apply(key, i).toArray(Request[]::new);
                    tasks.add(() -> granted(together, true));
                }
                long granted = 0;
                for (Future<Long> each : threads.invokeAll(tasks, 1, TimeUnit.MINUTES)) {
                    if (each.isCancelled()) {
                        throw new AssertionError("requests of several threads are not decided within a minute");
                    }
                    granted += each.get();
                }
                granted += granted(requests.apply(key, 0).toArray(Request[]::new), false);
                if (granted != PERMITS_OF_THREADS) {
                    throw new AssertionError(granted + " of " + PERMITS_OF_THREADS + " permits granted");
                }
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Requests each permit of a limit, and cancels another one after each. Returns the permits that are granted and kept. */
    private static long granted(Request[] together, boolean cancels) {
        long granted = 0;
        for (int i = 0; i < PERMITS_OF_THREADS; i++) {
            granted += RateLimiter.tryAcquireAll(together).allowed() ? 1 : 0;
            if (cancels) {
                RateLimiter.reserveAll(Duration.ZERO, together).cancel();
            }
        }
        return granted;
    }

    private void disturb(int which, List<Request> keys) {
        if (which % 2 == 0) {
            evict(keys);
        } else {
            setClockBack();
        }
    }
}
