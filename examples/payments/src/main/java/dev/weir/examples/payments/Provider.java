package dev.weir.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A simulated payment provider: an HTTP server that accepts a number of calls in any second, and answers 429 to others. Calls are
 * judged one after the other, when they are read. {@code /warm-up} is not judged. Thread-safe.
 */
final class Provider implements AutoCloseable {
    static final String WORKER = "Worker";
    static final String WAITED = "Waited-Micros";
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int ACCEPTED = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SLOWEST_MILLIS = 10_000;

    private final String name;
    private final int permits;
    private final ExactLog log;
    private final HttpServer server;
    private final Map<String, Long> callsByWorker = new TreeMap<>();
    private final int[] waitMillis = new int[SLOWEST_MILLIS + 1];
    private long from = Long.MAX_VALUE; // the phase of full demand, on the monotonic clock
    private long until = Long.MAX_VALUE;
    private long calls;
    private long accepted;
    private long rejected;

    Provider(String name, int permits) throws IOException {
        this.name = name;
        this.permits = permits;
        this.log = new ExactLog(permits, WINDOW_NANOS);
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/warm-up", this::warmUp);
        server.createContext("/pay", this::pay);
        server.start(); // without an executor: one thread reads, judges and answers
    }

    private void warmUp(HttpExchange exchange) throws IOException {
        String worker = exchange.getRequestHeaders().getFirst(WORKER);
        synchronized (this) {
            callsByWorker.putIfAbsent(worker, 0L); // so that one that starves later is seen
        }
        answer(exchange, ACCEPTED);
    }

    private void pay(HttpExchange exchange) throws IOException {
        String worker = exchange.getRequestHeaders().getFirst(WORKER);
        long waited = Long.parseLong(exchange.getRequestHeaders().getFirst(WAITED));
        answer(exchange, judge(System.nanoTime(), worker, waited) ? ACCEPTED : TOO_MANY_REQUESTS);
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        if (status == TOO_MANY_REQUESTS) {
            exchange.getResponseHeaders().set("Retry-After", "1");
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private synchronized boolean judge(long now, String worker, long waitedMicros) {
        boolean fits = log.accept(now);
        calls++;
        rejected += fits ? 0 : 1;
        if (now - from >= 0 && now - until < 0) {
            accepted += fits ? 1 : 0;
            callsByWorker.merge(worker, 1L, Long::sum);
            waitMillis[(int) Math.min(SLOWEST_MILLIS, waitedMicros / 1_000)]++;
        }
        return fits;
    }

    /** Sets the phase in which calls are counted. Rejected calls are counted always. */
    synchronized void measure(long fromNanos, long untilNanos) {
        from = fromNanos;
        until = untilNanos;
    }

    String name() {
        return name;
    }

    int permits() {
        return permits;
    }

    String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns what has been counted so far. */
    synchronized Counts counts() {
        double seconds = (double) (until - from) / WINDOW_NANOS;
        return new Counts(
                name,
                permits,
                calls,
                accepted,
                rejected,
                accepted / (permits * seconds),
                Map.copyOf(callsByWorker),
                Arrays.copyOf(waitMillis, waitMillis.length));
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /**
     * What a provider has counted.
     *
     * @param calls all calls judged
     * @param accepted the calls accepted in the phase of full demand
     * @param rejected all calls answered with 429
     * @param use the accepted calls, as a share of those that the limit allows in that phase
     * @param callsByWorker the calls of each worker in that phase
     * @param waits the calls in that phase by the milliseconds that they waited
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Counts(
            String name,
            int permits,
            long calls,
            long accepted,
            long rejected,
            double use,
            Map<String, Long> callsByWorker,
            int[] waits) {

        /** Returns the wait in milliseconds that a share of the calls did not exceed. */
        int waitMillis(double share) {
            long wanted =
                    (long) Math.ceil(share * Arrays.stream(waits).asLongStream().sum());
            int millis = 0;
            for (long seen = waits[0]; seen < wanted; seen += waits[millis]) {
                millis++;
            }
            return millis;
        }
    }
}
