package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.FailedMeasureException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** Two ways to send calls: as many as are answered, and as many as are due. */
final class Load {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double P99 = 0.99;

    private Load() {}

    /**
     * Keeps a number of calls in flight: each answer starts the next call.
     *
     * @return the calls a second
     * @throws FailedMeasureException if a call fails or is denied
     */
    static double closed(int port, byte[][] messages, int calls, int millis) throws IOException {
        try (Connection connection = new Connection(port, true)) {
            int sent = 0;
            long start = System.nanoTime();
            long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
            while (System.nanoTime() - start < nanos || sent == connection.inFlight()) { // at least one is answered
                while (connection.inFlight() < calls) {
                    connection.send(messages[sent % messages.length], Load::check);
                    sent++;
                }
                connection.flush();
                connection.receive();
            }
            double perSecond = (sent - connection.inFlight()) / ((System.nanoTime() - start) / NANOS_PER_SECOND);
            while (connection.inFlight() > 0) {
                connection.receive();
            }
            return perSecond;
        }
    }

    private static void check(int code) {
        if (code != Code.OK_VALUE) {
            throw new FailedMeasureException(code == Code.UNKNOWN_VALUE ? "a call failed" : "a call was denied");
        }
    }

    /**
     * Returns the 99th percentile of the time from when a call was due until its answer was read, in milliseconds. Calls are sent at
     * a rate, whether or not earlier ones are answered.
     *
     * @throws FailedMeasureException if a call fails or is denied
     */
    static double p99Millis(int port, byte[][] messages, double perSecond, int millis) throws IOException {
        int count = Math.max(1, (int) (perSecond * TimeUnit.MILLISECONDS.toNanos(millis) / NANOS_PER_SECOND));
        double interval = NANOS_PER_SECOND / perSecond;
        long[] nanos = new long[count];
        long start = System.nanoTime();
        try (Connection connection = new Connection(port, false)) {
            Sender sender = call -> connection.send(messages[call % messages.length], code -> {
                check(code);
                nanos[call] = System.nanoTime() - start - (long) (call * interval);
            });
            open(connection, start, count, interval, sender);
        }
        Arrays.sort(nanos);
        return nanos[(int) (count * P99)] / NANOS_PER_MILLI;
    }

    /** Sends the next call. */
    interface Sender {
        void send(int call) throws IOException;
    }

    /** Sends calls at a rate, whether or not earlier ones are answered, and then waits for all answers. */
    static void open(Connection connection, long start, int count, double intervalNanos, Sender sender)
            throws IOException {
        int sent = 0;
        while (sent < count || connection.inFlight() > 0) {
            int due = (int) Math.min(count, (System.nanoTime() - start) / intervalNanos);
            while (sent < due && connection.inFlight() < Connection.MAX_IN_FLIGHT) {
                sender.send(sent);
                sent++;
            }
            connection.flush();
            connection.receive();
        }
    }
}
