package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under overload the server still decides at its capacity in time; below capacity it decides all requests. Simulated time. */
final class OverloadTest {
    private static final long MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long STEP = 50 * MICRO;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final Limits LIMITS = Limits.parse("1000000/1h");

    /** A server that answers one batch after the other, and its client. */
    private static final class Simulation {
        private final long timeout;
        private final long perRequest;
        private final long network;
        private final int slots;
        private final BatchQueue queue;
        private final Deque<InFlight> server = new ArrayDeque<>();
        private final Random random = new Random(1);
        private long now;
        private long serverFreeAt;
        private int keys;
        private int inTime;
        private int late;

        private record InFlight(Pipeline pipeline, Batch batch, long answeredAt) {}

        /** Creates a server with the given number of slots, like a node of a cluster. */
        Simulation(long timeout, long perRequest, long network, int slots) {
            this.timeout = timeout;
            this.perRequest = perRequest;
            this.network = network;
            this.slots = slots;
            this.queue = new BatchQueue(new BatchCost(), timeout, () -> true);
        }

        /** Adds evenly spaced requests at a rate for some seconds. */
        void run(double perSecond, int seconds) {
            run(seconds, () -> perSecond * STEP / SECOND);
        }

        /** Adds randomly spaced requests at a rate for some seconds. */
        void runRandomly(double perSecond, int seconds) {
            run(seconds, () -> poisson(perSecond * STEP / SECOND));
        }

        private int poisson(double mean) {
            int count = 0;
            for (double product = random.nextDouble(); product > Math.exp(-mean); product *= random.nextDouble()) {
                count++;
            }
            return count;
        }

        private void run(int seconds, DoubleSupplier perStep) {
            inTime = 0;
            late = 0;
            long from = now;
            double due = 0;
            while (now - from < seconds * SECOND) {
                for (due += perStep.getAsDouble(); due >= 1; due--) {
                    add("key " + keys++, 0);
                }
                while (!server.isEmpty() && server.element().answeredAt() <= now) {
                    answer(server.remove());
                }
                queue.abandon(now);
                send();
                now += STEP;
            }
        }

        private void add(String key, long maxWaitNanos) {
            Request request = Request.of("limiter", LIMITS, key, 1);
            queue.add(new PendingRequest(random.nextInt(slots), List.of(request), maxWaitNanos, false, now, timeout));
        }

        private void send() {
            for (Pipeline next = queue.poll(now); next != null; next = queue.poll(now)) {
                queue.sent(next);
                for (Batch batch : next.batches()) {
                    serverFreeAt = Math.max(serverFreeAt, now + network / 2) + batch.size() * perRequest;
                    server.add(new InFlight(next, batch, serverFreeAt + network / 2));
                }
            }
        }

        private void answer(InFlight answered) {
            Batch batch = answered.batch();
            List<Answer> answers = new ArrayList<>();
            for (PendingRequest each : batch.requests()) {
                Decision allowed = Decision.allowed(LIMITS.list().get(0), 0, 0, 0, 1);
                answers.add(new Answer(allowed, Long.MAX_VALUE, new byte[1], ""));
                if (!each.isOverdue(now, 0, true)) {
                    inTime++;
                } else {
                    late++;
                    serverFreeAt += perRequest; // it is refunded
                }
            }
            queue.ended(answered.pipeline(), batch, answers, now);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // timeout, ms; time on the server for each request, us; round trip of the network, us; slots; share of the
        // capacity
        "  5,  10,    100,    1, 0.95",
        " 15,  10,    100,    1, 0.95",
        " 15,  50,    100,    1, 0.95",
        " 15,  50,  5000,    1, 0.6",
        " 50, 100,  1000,    1, 0.95",
        " 50,  50, 20000,    1, 0.7",
        "250, 200, 30000,    1, 0.7",
        " 15, 100,    100,    8, 0.95",
        " 15,  50,    100,  100, 0.95",
        " 50, 200,    200, 5000, 0.95",
        " 50,  50,  20000, 5000, 0.7",
    })
    void aboveCapacity_decidesAtCapacity_inTime(int timeoutMillis, int micros, int network, int slots, double share) {
        Simulation simulation =
                new Simulation(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), micros * MICRO, network * MICRO, slots);
        double capacity = 1e6 / micros;
        simulation.run(capacity / 2, 1);
        for (double load : new double[] {1.2, 4}) {
            simulation.run(load * capacity, 1);
            assertThat(simulation.inTime).as("in time at load %.1f", load).isGreaterThan((int) (share * capacity));
            assertThat(simulation.late).as("late at load %.1f", load).isLessThan((int) (0.025 * capacity));
        }
        simulation.run(0, 1);
        simulation.run(capacity / 2, 1);
        assertThat(simulation.inTime).as("in time afterwards").isGreaterThan((int) (0.45 * capacity));
        assertThat(simulation.late).as("late afterwards").isZero();
    }

    /** The burst takes 8 to 40 timeouts. Some requests sent before the first answer may be late if the network is slow. */
    @ParameterizedTest
    @CsvSource({
        // timeout, ms; time on the server for each request, us; round trip of the network, us; slots; most that are
        // late
        "15,  20,   100,    1,  0",
        "50, 100,   100,    1,  0",
        "50, 100,   100, 5000,  0",
        "50,  20, 30000,    1,  0",
        "50, 100, 30000,    1, 56",
    })
    void burstOfRequestsThatMayWait_allAreSent_inTime(int timeoutMillis, int micros, int network, int slots, int late) {
        Simulation simulation =
                new Simulation(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), micros * MICRO, network * MICRO, slots);
        simulation.run(1, 2);
        for (int i = 0; i < 20_000; i++) {
            simulation.add("key " + i % 100, 3600 * SECOND);
        }
        simulation.run(0, 5);
        assertThat(simulation.inTime + simulation.late).isEqualTo(20_000);
        assertThat(simulation.late).isLessThanOrEqualTo(late);
    }

    @ParameterizedTest
    @CsvSource({
        // timeout, ms; round trip of the network, us; slots; requests a second; seconds
        " 5,  1000, 1, 1000, 10",
        "15, 10000, 1,  300, 20",
        "50,   200, 1, 1000, 10",
        "50, 20000, 1,   50, 20",
        "50, 30000, 1,   30, 20",
        "50, 30000, 1,  100, 20",
        "50, 30000, 1, 1000, 10",
        "50, 40000, 1,   60, 20",
        "50, 30000, 5000, 1000, 10",
        "50,  5000, 1, 45000, 2",
        "50,  5000, 5000, 45000, 2",
    })
    void belowCapacity_allAreInTime(int timeoutMillis, int network, int slots, int perSecond, int seconds) {
        Simulation simulation =
                new Simulation(TimeUnit.MILLISECONDS.toNanos(timeoutMillis), 5 * MICRO, network * MICRO, slots);
        simulation.run(1, 2); // the first calls do not know the delay of the network
        int before = simulation.keys;
        simulation.runRandomly(perSecond, seconds);
        assertThat(simulation.inTime + simulation.queue.size()).isEqualTo(simulation.keys - before);
        assertThat(simulation.late).isZero();
    }
}
