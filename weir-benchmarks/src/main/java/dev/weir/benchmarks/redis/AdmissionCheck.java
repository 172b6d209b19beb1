package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import dev.weir.benchmarks.report.FailedMeasureException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Shows before anything is timed that a contestant limits: it admits what it should, and no more. */
record AdmissionCheck(RedisContestant contestant, RemoteClient client) {
    private static final int FEW = 10;
    private static final int TWO = 2; // a third request arrives within half a second, in which one is refilled
    private static final int SOME = 30;
    private static final int MANY = 100;
    private static final int IN_FLIGHT = 32;
    private static final long TIMEOUT_SECONDS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

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
        RemoteLimiter limiter = client.limiter(Limit.parse(FEW + "/1h"), RemoteClient.keys("check-one", 2));
        long admitted =
                IntStream.range(0, 2 * FEW).filter(i -> limiter.acquire(0)).count();
        expect((long) FEW, admitted, "one at a time");
        expect(true, limiter.acquire(1), "another key");
    }

    private void manyAtOnce() throws InterruptedException {
        RemoteLimiter limiter = client.limiter(Limit.parse(SOME + "/1h"), RemoteClient.keys("check-many", 1));
        Flight flight = Flight.begin(limiter, 1, IN_FLIGHT, MANY);
        flight.awaitLanding();
        expect((long) SOME, flight.allowed.sum(), "many at once");
        expect((long) MANY - SOME, flight.denied.sum(), "many at once, denied");
    }

    private void again() {
        RemoteLimiter limiter = client.limiter(Limit.parse(TWO + "/1s"), List.of("check-again"));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        int admitted = 0;
        boolean denied = false;
        while ((admitted <= TWO || !denied) && System.nanoTime() - deadline < 0) {
            boolean now = limiter.acquire(0);
            admitted += now ? 1 : 0;
            denied |= !now;
            LockSupport.parkNanos(PAUSE_NANOS); // other programs need the processors, too
        }
        expect(true, denied, "denied in its window");
        expect(true, admitted > TWO, "admitted after its window");
    }

    private void expect(Object expected, Object was, String what) {
        if (!expected.equals(was)) {
            throw new FailedMeasureException(
                    contestant.title + " does not limit: " + what + " must be " + expected + ", was " + was);
        }
    }
}
