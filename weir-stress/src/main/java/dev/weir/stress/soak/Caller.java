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
import org.HdrHistogram.Histogram;

/**
 * One thread's calls: mostly single requests, some ready to wait, some for two keys together, some given back again in
 * whole or in part, and now and then a reset. It measures each decision, and notes what it was for the checker.
 */
final class Caller {
    private static final int RESERVED_ONE_OF = 4; // where waiting is allowed
    private static final int TOGETHER_ONE_OF = 16; // where that is allowed
    private static final int RESET_ONE_OF = 4096;
    private static final int PEEK_ONE_OF = 64;
    private static final int DENIAL_NOTED_ONE_OF = 16;
    private static final int MOST_HELD = 32; // reservations
    private static final int SIGNIFICANT_DIGITS = 3;

    final Trace trace = new Trace();
    final Counts counts = new Counts();
    final Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);

    private final Witness witness;
    private final Population population;
    private final SplittableRandom random;
    private final Consumer<Violation> violations;
    private final Deque<Held> held = new ArrayDeque<>();

    /** A reservation that may be given back, and what it booked. */
    private record Held(Reservation reservation, int permits, List<Admission> admissions) {}

    Caller(Witness witness, Population population, SplittableRandom random, Consumer<Violation> violations) {
        this.witness = witness;
        this.population = population;
        this.random = random;
        this.violations = violations;
    }

    /** Calls until it is so late, or until there is much to check. */
    void callUntil(long time) {
        while (witness.now() < time && !trace.isFull()) {
            Key key = population.draw(random);
            int permits = 1 + random.nextInt(key.regime.mostPermits());
            int dice = random.nextInt(RESET_ONE_OF);
            if (dice == 0) {
                reset(key);
            } else if (dice % PEEK_ONE_OF == 1) {
                peek(key, permits);
            } else if (key.regime.waitMillis() > 0 && dice % RESERVED_ONE_OF == 0) {
                reserve(key, permits);
            } else if (key.regime.joint() && dice % TOGETHER_ONE_OF == 0) {
                reserveTogether(key, population.drawShared(random), permits);
            } else {
                take(key, permits);
            }
        }
    }

    private void take(Key key, int permits) {
        long before = witness.now();
        Decision decision = key.regime.limiter().tryAcquire(key.name, permits);
        long after = witness.now();
        latencies.recordValue(after - before);
        note(List.of(key), permits, decision, after);
        if (decision.waitNanos() != 0) {
            violations.accept(new Violation("told to wait: " + decision, key.name, decision.limit(), List.of()));
        }
    }

    private void peek(Key key, int permits) {
        Decision decision = key.regime.limiter().peek(key.name, permits);
        counts.peeks++;
        look(key, 0, decision);
    }

    private void reserve(Key key, int permits) {
        Duration maxWait = Duration.ofMillis(random.nextInt(key.regime.waitMillis()));
        long before = witness.now();
        Reservation reservation = key.regime.limiter().reserve(key.name, permits, maxWait);
        long after = witness.now();
        latencies.recordValue(after - before);
        hold(reservation, permits, note(List.of(key), permits, reservation.decision(), after));
    }

    private void reserveTogether(Key key, Key shared, int permits) {
        Request one = key.regime.limiter().request(key.name, permits);
        Request other = shared.regime.limiter().request(shared.name, permits);
        long before = witness.now();
        Reservation reservation =
                RateLimiter.reserveAll(Duration.ofMillis(random.nextInt(shared.regime.waitMillis())), one, other);
        long after = witness.now();
        latencies.recordValue(after - before);
        counts.joint++;
        hold(reservation, permits, note(List.of(key, shared), permits, reservation.decision(), after));
    }

    private void reset(Key key) {
        long start = witness.now();
        key.regime.limiter().reset(key.name);
        long end = witness.now();
        counts.resets++;
        for (KeyLog log : key.logs) {
            trace.resets.add(new Reset(log, start, end));
        }
    }

    /** Keeps a reservation for a while; then half of them are given back. */
    private void hold(Reservation reservation, int permits, List<Admission> admissions) {
        if (reservation.decision().allowed()) {
            held.add(new Held(reservation, permits, admissions));
        }
        if (held.size() > random.nextInt(MOST_HELD)) {
            Held one = held.remove();
            if (random.nextBoolean()) {
                giveBack(one);
            }
        }
    }

    private void giveBack(Held one) {
        int part = 1 + random.nextInt(one.permits);
        long from = witness.now();
        if (part == one.permits) {
            one.reservation.cancel();
        } else {
            one.reservation.refund(part);
        }
        long by = witness.now();
        counts.givenBack++;
        for (Admission admission : one.admissions) {
            admission.giveBack(part, from, by);
        }
    }

    /** Notes a decision on the keys, as this thread's last call was given it, and looks whether it can be right. */
    private List<Admission> note(List<Key> keys, int permits, Decision decision, long end) {
        Witness.Call call = witness.call();
        long start = call.reading;
        if (!look(keys.get(0), decision.allowed() ? permits : 0, decision)) {
            return List.of();
        }
        if (Stamps.areImpossible(decision, start, end)) {
            violations.accept(new Violation(
                    "decided at " + decision.timeNanos() + " by a call from " + start + " to " + end + ": " + decision,
                    keys.get(0).name,
                    decision.limit(),
                    List.of()));
        }
        if (decision.allowed()) {
            counts.admitted++;
            counts.waiting += decision.waitNanos() > 0 ? 1 : 0;
            return admissions(keys, call.requests, permits, decision, end);
        }
        counts.denied++;
        if (keys.size() == 1 && random.nextInt(DENIAL_NOTED_ONE_OF) == 0) {
            int index = call.requests.get(0).limits().list().indexOf(decision.limit());
            trace.denials.add(new Denial(keys.get(0).logs[index], decision.limit(), permits, start, end));
            counts.denialsChecked++;
        }
        return List.of();
    }

    /** Whether a decision that took so many permits may be right, by what can be told from it alone. */
    private boolean look(Key key, int taken, Decision decision) {
        String wrong = Answers.wrong(decision, taken, witness.call().requests);
        if (wrong != null) {
            violations.accept(new Violation(wrong + ": " + decision, key.name, decision.limit(), List.of()));
        }
        return wrong == null;
    }

    private List<Admission> admissions(
            List<Key> keys, List<Request> requests, int permits, Decision decision, long end) {
        long start = witness.call().reading;
        List<Admission> admissions = new ArrayList<>(2);
        for (int k = 0; k < keys.size(); k++) {
            List<Limit> limits = requests.get(k).limits().list();
            for (int i = 0; i < limits.size(); i++) {
                Limit limit = limits.get(i);
                admissions.add(
                        new Admission(keys.get(k).logs[i], limit, permits, start, end, Stamps.stamp(decision, limit)));
            }
        }
        trace.admissions.addAll(admissions);
        counts.admissionsChecked += admissions.size();
        return admissions;
    }
}
