package dev.weir.benchmarks.promise;

import dev.weir.Limit;
import dev.weir.benchmarks.promise.Examination.Finding;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/** Requests of limiters what the traffic requests, and returns what each of them did. */
final class Player {
    private static final Limit LIMIT = Limit.parse("100/1m");

    private static final int FASTER = 60;
    /** In real time a minute of the traffic takes a second. */
    static final Limit LIMIT_IN_REAL_TIME = Limit.parse("100/1s");

    private static final long LONGEST_GAP = 61_000_000_000L;
    /** Both limiters count in milliseconds, which are 60 times as long here as they are to the limit of 100 per minute. */
    private static final long TOLERANCE = 1_000_000;

    private Player() {}

    /**
     * Plays traffic for a limiter on a clock that is set to the time of each request.
     *
     * @param maker creates the limiter on a clock
     */
    static Finding inVirtualTime(Traffic traffic, Function<AtomicLong, IntToLongFunction> maker) {
        AtomicLong time = new AtomicLong(traffic.requests().get(0).time());
        IntToLongFunction subject = maker.apply(time);
        Examination examination = new Examination(LIMIT, 0, 0);
        for (Traffic.Sent request : traffic.requests()) {
            time.set(request.time());
            examination.add(request.client(), request.time(), request.time(), subject.applyAsLong(request.client()));
        }
        return examination.finding();
    }

    /**
     * Plays traffic for limiters without a clock that could be set, which get one request after the other. In a pause of more than
     * a minute, it waits a minute and a second of the traffic.
     */
    static List<Finding> inRealTime(Traffic traffic, List<IntPredicate> limiters) {
        List<Examination> examinations = limiters.stream()
                .map(limiter -> new Examination(LIMIT_IN_REAL_TIME, TOLERANCE, TOLERANCE))
                .toList();
        long due = System.nanoTime();
        long before = traffic.requests().get(0).time();
        for (Traffic.Sent request : traffic.requests()) {
            due += Math.min(request.time() - before, LONGEST_GAP) / FASTER;
            before = request.time();
            awaitTime(due);
            int client = request.client();
            for (int i = 0; i < limiters.size(); i++) {
                long sent = System.nanoTime();
                boolean granted = limiters.get(i).test(client);
                examinations.get(i).add(client, sent, System.nanoTime(), granted ? 0 : Examination.DENIED);
            }
        }
        return examinations.stream().map(Examination::finding).toList();
    }

    private static void awaitTime(long due) {
        while (System.nanoTime() - due < 0) {
            LockSupport.parkNanos(due - System.nanoTime());
        }
    }
}
