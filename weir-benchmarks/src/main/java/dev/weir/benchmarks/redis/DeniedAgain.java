package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.benchmarks.run.FailedMeasureException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One thread that asks again and again for a key that has used up its limit.
 *
 * @param millions of decisions a second, nearly all of them denials
 * @param scriptsPerPermit scripts that the server ran, for each permit granted
 */
record DeniedAgain(double millions, double scriptsPerPermit) {
    private static final Limit LIMIT = Limit.parse("1000/1s");
    private static final double NANOS_PER_MICRO = 1e3;
    /** Decisions between two looks at the clock, which takes as long as a decision. */
    private static final int STRIDE = 64;
    /** The share of the permits that has to be granted: a limiter that denies too long would look fast. */
    private static final double LEAST_GRANTED = 0.8;

    /** Measures on a key that has not been asked for. */
    static DeniedAgain measure(RemoteClient client, String key, ServerCounters server, RedisEffort effort) {
        RemoteLimiter limiter = client.limiter(LIMIT, List.of(key));
        long scripts = server.scripts();
        long start = System.nanoTime();
        long end = start + TimeUnit.MILLISECONDS.toNanos(effort.deniedMillis());
        long decisions = 0;
        long granted = 0;
        long now = start;
        while (now - end < 0) {
            for (int i = 0; i < STRIDE; i++) {
                granted += limiter.ask(0) ? 1 : 0;
            }
            decisions += STRIDE;
            now = System.nanoTime();
        }
        check(granted, (now - start) / LIMIT.windowNanos(), decisions);
        return new DeniedAgain(
                decisions * NANOS_PER_MICRO / (now - start), (double) (server.scripts() - scripts) / granted);
    }

    private static void check(long granted, long wholeWindows, long decisions) {
        long most = LIMIT.permits() * (wholeWindows + 1);
        double least = LEAST_GRANTED * LIMIT.permits() * wholeWindows;
        if (granted > most || granted < least || granted == 0) {
            throw new FailedMeasureException(
                    granted + " of " + decisions + " were admitted in " + wholeWindows + " s and a bit at " + LIMIT,
                    null);
        }
    }
}
