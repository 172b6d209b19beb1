package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.run.FailedMeasureException;
import java.util.concurrent.TimeUnit;

/**
 * Decisions a second, and the server's processor time for each, while so many requests are under way. All are to be admitted.
 *
 * @param perSecond decisions
 * @param cpuMicros of the server, for each
 */
record ManyUnderWay(double perSecond, double cpuMicros) {
    static final int IN_FLIGHT = 256;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Measures. */
    static ManyUnderWay measure(RemoteLimiter limiter, int keys, ServerCounters server, RedisEffort effort)
            throws InterruptedException {
        Flight flight = Flight.begin(limiter, keys, IN_FLIGHT, Long.MAX_VALUE);
        TimeUnit.MILLISECONDS.sleep(effort.warmMillis());
        double cpu = server.cpuMicros();
        long allowed = flight.allowed();
        long start = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(effort.millis());
        cpu = server.cpuMicros() - cpu;
        allowed = flight.allowed() - allowed;
        long nanos = System.nanoTime() - start;
        flight.land();
        if (flight.denied() > 0 || allowed <= 0) {
            throw new FailedMeasureException(
                    flight.allowed() + " were admitted and " + flight.denied()
                            + " denied, which is not what it is to show",
                    null);
        }
        return new ManyUnderWay(allowed * NANOS_PER_SECOND / nanos, cpu / allowed);
    }
}
