package dev.weir.benchmarks.promise;

import dev.weir.Limit;
import dev.weir.benchmarks.promise.Examination.Finding;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Plays traffic in real time for limiters without a clock that could be set. A minute of the traffic takes a second, and the limit
 * is 100 per second. Where nobody sends a request for more than a minute, it waits a minute and a second of the traffic.
 */
final class RealTime {
    private static final int FASTER = 60;
    private static final Limit LIMIT = Limit.parse("100/1s");
    private static final long LONGEST_GAP = 61_000_000_000L;
    /** Both limiters count in milliseconds, which are 60 times as long here as they are to the limit of 100 per minute. */
    private static final long TOLERANCE = 1_000_000;

    private static final long SPIN = 50_000; // ns, shorter than what a thread sleeps

    private RealTime() {}

    /** Returns the limit in real time. */
    static Limit limit() {
        return LIMIT;
    }

    /** Requests of each limiter, in turn, what the traffic requests, and returns what each of them did. */
    static List<Finding> play(Traffic traffic, List<IntPredicate> limiters) {
        List<Examination> examinations = Stream.generate(() -> new Examination(LIMIT, TOLERANCE))
                .limit(limiters.size())
                .toList();
        long due = System.nanoTime();
        for (int request = 0; request < traffic.size(); request++) {
            long gap = request == 0 ? 0 : traffic.time(request) - traffic.time(request - 1);
            due += Math.min(gap, LONGEST_GAP) / FASTER;
            awaitTime(due);
            int client = traffic.client(request);
            for (int i = 0; i < limiters.size(); i++) {
                long sent = System.nanoTime();
                boolean granted = limiters.get(i).test(client);
                examinations.get(i).add(client, sent, System.nanoTime(), granted ? 0 : Subject.DENIED);
            }
        }
        return examinations.stream().map(Examination::finding).toList();
    }

    private static void awaitTime(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            if (left > SPIN) {
                LockSupport.parkNanos(left - SPIN);
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
