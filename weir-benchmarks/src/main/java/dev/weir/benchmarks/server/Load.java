package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Two ways to send calls: as many as are answered, and as many as are due. */
final class Load {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int OK = 1;
    private static final double P99 = 0.99;

    private Load() {}

    /**
     * Keeps a number of calls in flight: each answer starts the next call.
     *
     * @return the calls a second
     * @throws FailedMeasureException if a call fails or is denied
     */
    static double closed(int port, byte[][] messages, int calls, int millis) throws IOException {
        Counter counter = new Counter();
        try (Connection connection = new Connection(port, true, counter)) {
            int sent = 0;
            long start = System.nanoTime();
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - start < nanos) {
                while (connection.inFlight() < calls) {
                    connection.send(sent, messages[sent % messages.length]);
                    sent++;
                }
                connection.flush();
                connection.receive();
            }
            double perSecond = counter.answered / ((System.nanoTime() - start) / NANOS_PER_SECOND);
            while (connection.inFlight() > 0) {
                connection.receive();
            }
            return perSecond;
        }
    }

    /** Counts answers that allow. */
    private static final class Counter implements Connection.Answers {
        private int answered;

        @Override
        public void answered(int call, int code) {
            check(code);
            answered++;
        }
    }

    private static void check(int code) {
        if (code != OK) {
            throw new FailedMeasureException(code == 0 ? "a call failed" : "a call was denied", null);
        }
    }

    /**
     * Sends calls at a rate, whether or not earlier ones are answered.
     *
     * @return the 99th percentile of the time from when a call was due until its answer was read, in milliseconds
     * @throws FailedMeasureException if a call fails or is denied
     */
    static double p99Millis(int port, byte[][] messages, double perSecond, int millis) throws IOException {
        int count = Math.max(1, (int) (perSecond * TimeUnit.MILLISECONDS.toNanos(millis) / NANOS_PER_SECOND));
        double interval = NANOS_PER_SECOND / perSecond;
        long[] nanos = new long[count];
        long start = System.nanoTime();
        try (Connection connection = new Connection(port, false, (call, code) -> {
            check(code);
            nanos[call] = System.nanoTime() - start - (long) (call * interval);
        })) {
            int sent = 0;
            while (sent < count || connection.inFlight() > 0) {
                int due = (int) Math.min(count, (System.nanoTime() - start) / interval);
                while (sent < due && connection.inFlight() < Connection.MAX_IN_FLIGHT) {
                    connection.send(sent, messages[sent % messages.length]);
                    sent++;
                }
                connection.flush();
                connection.receive();
            }
        }
        Arrays.sort(nanos);
        return nanos[(int) (count * P99)] / NANOS_PER_MILLI;
    }
}
