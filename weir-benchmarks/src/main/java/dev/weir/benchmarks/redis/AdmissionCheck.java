package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.benchmarks.report.FailedMeasureException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shows before anything is timed that a contestant limits: it admits what it should, and no more. */
final class AdmissionCheck {
    private static final int FEW = 10;
    private static final int SOME = 30;
    private static final int MANY = 100;
    private static final int IN_FLIGHT = 32;
    private static final long TIMEOUT_SECONDS = 60;

    private final RedisContestant contestant;
    private final RemoteClient client;

    AdmissionCheck(RedisContestant contestant, RemoteClient client) {
        this.contestant = contestant;
        this.client = client;
    }

    /**
     * Checks.
     *
     * @throws FailedMeasureException if it does not limit
     */
    void run() throws InterruptedException {
        oneAtATime();
        manyAtOnce();
        again();
    }

    private void oneAtATime() {
        RemoteLimiter<?> limiter = client.limiter(Limit.parse(FEW + "/1h"), RemoteClient.keys("check-one", 2));
        expect(FEW, admitted(limiter, 2 * FEW), "one at a time");
        expect(true, limiter.acquire(1), "another key");
    }

    private static int admitted(RemoteLimiter<?> limiter, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += limiter.acquire(0) ? 1 : 0;
        }
        return admitted;
    }

    private void manyAtOnce() throws InterruptedException {
        RemoteLimiter<?> limiter = client.limiter(Limit.parse(SOME + "/1h"), RemoteClient.keys("check-many", 1));
        Flight flight = Flight.begin(limiter, 1, IN_FLIGHT, MANY);
        flight.awaitLanding();
        expect((long) SOME, flight.allowed(), "many at once");
        expect((long) MANY - SOME, flight.denied(), "many at once, denied");
    }

    private void again() {
        RemoteLimiter<?> limiter = client.limiter(Limit.parse(FEW + "/1s"), List.of("check-again"));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        int admitted = 0;
        boolean denied = false;
        while (admitted <= FEW && System.nanoTime() - deadline < 0) {
            boolean now = limiter.acquire(0);
            admitted += now ? 1 : 0;
            denied |= !now;
        }
        expect(FEW + 1, admitted, "after its window");
        expect(true, denied, "denied before its window ended");
    }

    private void expect(Object expected, Object was, String what) {
        if (!expected.equals(was)) {
            throw new FailedMeasureException(
                    contestant.title() + " does not limit: " + what + " must be " + expected + ", was " + was, null);
        }
    }
}
