package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Spread;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What is measured of one limiter. */
final class Measuring {
    static final int IN_FLIGHT = 256;

    private static final Limit DENYING = Limit.parse("1000/1s");
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    /** Decisions between two readings of the clock, which takes as long as a decision. */
    private static final int STRIDE = 64;
    /** The share of the permits that has to be granted: a limiter that denies too long would look fast. */
    private static final double LEAST_GRANTED = 0.8;

    private static final int MOST_PAUSES = 50; // until a request is admitted, on a busy machine

    private Measuring() {}

    /**
     * Returns the median of calls of one thread for some keys, round robin; each call waits for its decision.
     *
     * @param admitted whether all are to be admitted, or all denied
     * @throws FailedMeasureException if one was decided otherwise
     */
    static double medianMicros(RemoteLimiter limiter, int keys, boolean admitted, int calls) {
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            boolean allowed = limiter.acquire(i % keys);
            nanos[i] = System.nanoTime() - start;
            if (allowed != admitted) {
                throw new FailedMeasureException(
                        "a request was " + (allowed ? "admitted" : "denied") + ", not as the scenario says");
            }
        }
        return Spread.medianMicros(nanos);
    }

    /**
     * Returns the memory of an entry in the log of a key, on a server without other keys. Fills it one request at a time, so that each
     * is an entry of its own.
     *
     * @throws FailedMeasureException if that takes longer than the window, so that the first entries have expired
     */
    static double entryBytes(RemoteClient client, Limit limit, List<String> key, int entries, ServerCounters server) {
        RemoteLimiter limiter = client.limiter(limit, key);
        long start = System.nanoTime();
        medianMicros(limiter, 1, true, entries);
        double bytes = server.keyBytes();
        if (System.nanoTime() - start >= limit.windowNanos()) {
            throw new FailedMeasureException(entries + " requests took longer than the window of " + limit);
        }
        return bytes / entries;
    }

    /** Decisions a second with many requests in flight, and the server's processor time for each. */
    record ManyInFlight(double perSecond, double cpuMicros) {

        /**
         * Measures a limiter that is to admit all requests.
         *
         * @throws FailedMeasureException if one was denied
         */
        static ManyInFlight measure(RemoteLimiter limiter, int keys, int inFlight, ServerCounters server, Effort effort)
                throws InterruptedException {
            Flight flight = Flight.begin(limiter, keys, inFlight, Long.MAX_VALUE);
            TimeUnit.MILLISECONDS.sleep(effort.of(100, 500, 1_000));
            double cpu = server.cpuMicros();
            long allowed = flight.allowed.sum();
            long start = System.nanoTime();
            int pauses = 0;
            do {
                TimeUnit.MILLISECONDS.sleep(effort.of(200, 1_500, 3_000));
                pauses++;
            } while (pauses < MOST_PAUSES && flight.allowed.sum() == allowed && flight.denied.sum() == 0);
            cpu = server.cpuMicros() - cpu;
            allowed = flight.allowed.sum() - allowed;
            long nanos = System.nanoTime() - start;
            flight.land();
            if (flight.denied.sum() > 0 || allowed <= 0) {
                throw new FailedMeasureException(flight.allowed.sum() + " were admitted and " + flight.denied.sum()
                        + " denied, not as the scenario says");
            }
            return new ManyInFlight(allowed * NANOS_PER_SECOND / nanos, cpu / allowed);
        }
    }

    /** Million decisions a second of one thread on a key that has used up its limit, and scripts for each permit granted. */
    record DeniedAgain(double millions, double scriptsPerPermit) {

        /** Measures on a key that has not been requested before. */
        static DeniedAgain measure(RemoteClient client, String key, ServerCounters server, Effort effort) {
            RemoteLimiter limiter = client.limiter(DENYING, List.of(key));
            long scripts = server.scripts();
            long start = System.nanoTime();
            long end = start + TimeUnit.MILLISECONDS.toNanos(effort.of(600, 2_500, 4_500));
            long decisions = 0;
            long granted = 0;
            long now = start;
            while (now - end < 0) {
                for (int i = 0; i < STRIDE; i++) {
                    granted += limiter.acquire(0) ? 1 : 0;
                }
                decisions += STRIDE;
                now = System.nanoTime();
            }
            long windows = (now - start) / DENYING.windowNanos();
            double least = effort == Effort.SMOKE ? 0 : LEAST_GRANTED * DENYING.permits() * windows;
            if (granted > DENYING.permits() * (windows + 1) || granted < least || granted == 0) {
                throw new FailedMeasureException(
                        granted + " of " + decisions + " were admitted in " + windows + " windows of " + DENYING);
            }
            double millions = decisions * NANOS_PER_MICRO / (now - start);
            return new DeniedAgain(millions, (double) (server.scripts() - scripts) / granted);
        }
    }
}
