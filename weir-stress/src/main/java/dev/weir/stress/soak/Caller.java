package dev.weir.stress.soak;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One thread's calls: mostly single requests, some ready to wait, some for two keys together, some refunded in whole or in part, and
 * now and then a reset. It measures each decision, and records it for the checker.
 */
final class Caller {
    private static final int RESERVED_ONE_OF = 4; // where waiting is allowed
    private static final int JOINT_ONE_OF = 16; // where that is allowed
    private static final int RESET_ONE_OF = 4096;
    private static final int PEEK_ONE_OF = 64;
    private static final int DENIAL_CHECKED_ONE_OF = 16;
    private static final int MOST_HELD = 32; // reservations
    private static final int MOST_EVENTS = 20_000; // in a round

    /** What the calls of one round did; read by the checkers after the round. */
    final List<KeyLog.Event> events = new ArrayList<>();

    /** The times of this thread's decisions in nanoseconds; read after the run, as are the counts. */
    final Histogram latencies = new Histogram(3);

    long admitted;
    long denied;
    long waiting;
    long joint;
    long refunds;
    long resets;
    long peeks;
    long admissionsRecorded;
    long denialsChecked;

    private final Witness witness;
    private final Population population;
    private final SplittableRandom random;
    private final Consumer<String> violations;
    private final Deque<Held> held = new ArrayDeque<>();

    /** A reservation that may be refunded, and what it recorded. */
    private record Held(Reservation reservation, int permits, List<Admission> admissions) {}

    Caller(Witness witness, Population population, SplittableRandom random, Consumer<String> violations) {
        this.witness = witness;
        this.population = population;
        this.random = random;
        this.violations = violations;
    }

    /** Calls until the given time, or until there is much to check. */
    void callUntil(long time) {
        while (witness.now() < time && events.size() < MOST_EVENTS) {
            Population.Key key = population.draw(random);
            int permits = 1 + random.nextInt(key.regime.mostPermits());
            int dice = random.nextInt(RESET_ONE_OF);
            if (dice == 0) {
                reset(key);
            } else if (dice % PEEK_ONE_OF == 1) {
                Decision decision = key.regime.limiter().peek(key.name, permits);
                peeks++;
                isFine(DecisionCheck.error(decision, 0, witness.call().requests), key, decision);
            } else if (key.regime.waitMillis() > 0 && dice % RESERVED_ONE_OF == 0) {
                Duration maxWait = Duration.ofMillis(random.nextInt(key.regime.waitMillis()));
                reserve(List.of(key), permits, () -> key.regime.limiter().reserve(key.name, permits, maxWait));
            } else if (key.regime.joint() && dice % JOINT_ONE_OF == 0) {
                reserveTogether(key, population.drawShared(random), permits);
            } else {
                acquire(key, permits);
            }
        }
    }

    private void acquire(Population.Key key, int permits) {
        Decision decision = timed(() -> key.regime.limiter().tryAcquire(key.name, permits));
        record(List.of(key), permits, decision);
        isFine(decision.waitNanos() == 0 ? null : "must not wait", key, decision);
    }

    private <T> T timed(Supplier<T> call) {
        long before = witness.now();
        T result = call.get();
        latencies.recordValue(witness.now() - before);
        return result;
    }

    private void reserveTogether(Population.Key key, Population.Key shared, int permits) {
        Request one = key.regime.limiter().request(key.name, permits);
        Request other = shared.regime.limiter().request(shared.name, permits);
        Duration maxWait = Duration.ofMillis(random.nextInt(shared.regime.waitMillis()));
        joint++;
        reserve(List.of(key, shared), permits, () -> RateLimiter.reserveAll(maxWait, one, other));
    }

    /** Keeps a reservation for a while; then half of them are refunded. */
    private void reserve(List<Population.Key> keys, int permits, Supplier<Reservation> call) {
        Reservation reservation = timed(call);
        List<Admission> admissions = record(keys, permits, reservation.decision());
        if (reservation.decision().allowed()) {
            held.add(new Held(reservation, permits, admissions));
        }
        if (held.size() > random.nextInt(MOST_HELD)) {
            Held one = held.remove();
            if (random.nextBoolean()) {
                refund(one);
            }
        }
    }

    private void refund(Held one) {
        int part = 1 + random.nextInt(one.permits);
        long from = witness.now();
        if (part == one.permits) {
            one.reservation.cancel();
        } else {
            one.reservation.refund(part);
        }
        long by = witness.now();
        refunds++;
        one.admissions.forEach(admission -> admission.refund(part, from, by));
    }

    private void reset(Population.Key key) {
        long start = witness.now();
        key.regime.limiter().reset(key.name);
        long end = witness.now();
        resets++;
        for (KeyLog log : key.logs) {
            events.add(new KeyLog.Reset(log, start, end));
        }
    }

    /** Records the decision of this thread's last call, and checks whether it can be right; returns what it admitted. */
    private List<Admission> record(List<Population.Key> keys, int permits, Decision decision) {
        long end = witness.now();
        Witness.Call call = witness.call();
        Population.Key key = keys.get(0);
        int taken = decision.allowed() ? permits : 0;
        if (!isFine(DecisionCheck.error(decision, taken, call.requests), key, decision)) {
            return List.of();
        }
        isFine(DecisionCheck.timeError(decision, call.reading, end), key, decision);
        if (decision.allowed()) {
            admitted++;
            waiting += decision.waitNanos() > 0 ? 1 : 0;
            return admissions(keys, call, permits, decision, end);
        }
        denied++;
        if (keys.size() == 1 && random.nextInt(DENIAL_CHECKED_ONE_OF) == 0) {
            Limit limit = decision.limit();
            KeyLog log = key.logs[call.requests.get(0).limits().list().indexOf(limit)];
            events.add(new KeyLog.Denial(log, limit, permits, call.reading, end));
            denialsChecked++;
        }
        return List.of();
    }

    /** Reports an error, if there is one. Returns whether there is none. */
    private boolean isFine(@Nullable String error, Population.Key key, Decision decision) {
        if (error != null) {
            violations.accept(error + ": " + decision + ", key " + key.name + ", limit " + decision.limit());
        }
        return error == null;
    }

    private List<Admission> admissions(
            List<Population.Key> keys, Witness.Call call, int permits, Decision decision, long end) {
        List<Admission> admissions = new ArrayList<>(2);
        for (int k = 0; k < keys.size(); k++) {
            List<Limit> limits = call.requests.get(k).limits().list();
            for (int i = 0; i < limits.size(); i++) {
                Limit limit = limits.get(i);
                long stamp = DecisionCheck.stamp(decision, limit);
                admissions.add(new Admission(keys.get(k).logs[i], limit, permits, call.reading, end, stamp));
            }
        }
        events.addAll(admissions);
        admissionsRecorded += admissions.size();
        return admissions;
    }
}
