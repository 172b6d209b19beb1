package dev.weir.algorithm;

import dev.weir.Decision;
import dev.weir.KeySnapshot;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.algorithm.Scenario.Op;
import dev.weir.algorithm.Scenario.Step;
import dev.weir.store.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One trace through the engine and through its definition; every field of every decision and snapshot must be equal. */
final class OracleTrace {
    private final Scenario scenario;
    private final AtomicLong time;
    private final List<RateLimiter> limiters = new ArrayList<>();
    private final int[] inForce; // of each limiter: which of its limits
    private final List<List<Limits>> limits = new ArrayList<>();
    private final KeyOracle[][] keys;
    private final List<Held> held = new ArrayList<>();
    private long now = Long.MIN_VALUE; // the latest reading: the source may go backwards, the store's time does not
    private int steps;

    /** A reservation, what refunds it by definition, and the permits of each request that are not refunded. */
    private static final class Held {
        final Reservation reservation;
        final List<List<Oracle.Refund>> refunds;
        final long[] left;

        Held(Reservation reservation, List<List<Oracle.Refund>> refunds, long[] left) {
            this.reservation = reservation;
            this.refunds = refunds;
            this.left = left;
        }

        void refund(int request, long permits) {
            refunds.get(request).forEach(one -> one.permits(permits));
            left[request] -= permits;
        }
    }

    /** A request for both. */
    private record Requested(int limiter, int key, long permits) {}

    OracleTrace(Scenario scenario) {
        this.scenario = scenario;
        time = new AtomicLong(scenario.start);
        MemoryStore store = MemoryStore.builder().timeSource(time::get).build();
        int count = scenario.limits.size();
        inForce = new int[count];
        keys = new KeyOracle[count][scenario.keys];
        for (int i = 0; i < count; i++) {
            List<Limits> all = new ArrayList<>();
            for (List<Rule> rules : scenario.limits.get(i)) {
                all.add(Limits.of(rules.stream().map(Rule::limit).toList()));
            }
            limits.add(all);
            limiters.add(RateLimiter.builder()
                    .name("limiter" + i)
                    .store(store)
                    .limits(all.get(0))
                    .build());
            Arrays.setAll(keys[i], key -> new KeyOracle());
        }
    }

    void check(List<Step> trace) {
        useEveryKey();
        for (Step step : trace) {
            for (int i = 0; i < step.times(); i++) {
                time.addAndGet(step.pass());
                now = Math.max(now, time.get());
                steps++;
                apply(step);
            }
        }
    }

    /** The engine may remove the idle states of other keys when a key is new, so no key is new later. */
    private void useEveryKey() {
        now = time.get();
        Step first = new Step(1, 0, Op.TRY, 1, 0, 0);
        for (int l = 0; l < limiters.size(); l++) {
            for (int k = 0; k < scenario.keys; k++) {
                Requested requested = new Requested(l, k, 1);
                same(
                        first,
                        limiters.get(l).tryAcquire(name(k)),
                        oracle(List.of(requested)).decide(0, new ArrayList<>()));
            }
        }
    }

    private void apply(Step step) {
        int l = step.which() % limiters.size();
        int k = step.which() / 64 % scenario.keys;
        RateLimiter limiter = limiters.get(l);
        String name = name(k);
        Requested requested = new Requested(l, k, step.permits());
        switch (step.op()) {
            case TRY ->
                same(
                        step,
                        limiter.tryAcquire(name, step.permits()),
                        oracle(List.of(requested)).decide(0, new ArrayList<>()));
            case RESERVE ->
                reserve(
                        step,
                        limiter.reserve(name, step.permits(), Duration.ofNanos(step.nanos())),
                        List.of(requested));
            case JOINT -> joint(step);
            case CANCEL, REFUND -> {
                if (!held.isEmpty()) {
                    refund(held.get(step.which() % held.size()), step.op() == Op.CANCEL);
                }
            }
            case CHANGE -> {
                inForce[l] = step.which() / 4096 % limits.get(l).size();
                limiter.changeLimits(limits.get(l).get(inForce[l]));
            }
            case BLOCK -> {
                long nanos = Math.max(1, step.nanos());
                limiter.block(name, Duration.ofNanos(nanos));
                keys[l][k].block(now, nanos);
            }
            case UNBLOCK -> {
                limiter.unblock(name);
                keys[l][k].unblock();
            }
            case RESET -> {
                limiter.reset(name);
                keys[l][k] = new KeyOracle();
            }
            case PEEK, INSPECT -> {}
        }
        if (step.op() == Op.INSPECT) {
            int maxRuns = step.which() % 3 == 0 ? step.which() / 3 % 4 : 5_000;
            same(step, limiter.inspect(name, maxRuns), prepared(l, k).snapshot(now, maxRuns));
        } else if (step.op().compareTo(Op.JOINT) > 0) {
            same(step, limiter.peek(name, step.permits()), peeked(requested));
        }
    }

    private static String name(int key) {
        return "key" + key;
    }

    private void joint(Step step) {
        SplittableRandom random = new SplittableRandom(step.which());
        List<Requested> all = new ArrayList<>();
        for (int i = 0; i < limiters.size() * scenario.keys; i++) {
            long permits = random.nextBoolean() ? step.permits() : 1 + random.nextInt(3);
            all.add(new Requested(i / scenario.keys, i % scenario.keys, permits));
        }
        while (all.size() > 1 && random.nextInt(3) == 0) {
            all.remove(random.nextInt(all.size()));
        }
        Request[] requests = all.stream()
                .map(one -> limiters.get(one.limiter).request(name(one.key), one.permits))
                .toArray(Request[]::new);
        long maxWait = random.nextInt(4) == 0 ? 0 : step.nanos();
        Step asDone = new Step(step.times(), step.pass(), step.op(), step.permits(), maxWait, step.which());
        reserve(asDone, RateLimiter.reserveAll(Duration.ofNanos(maxWait), requests), all);
    }

    private void reserve(Step step, Reservation reservation, List<Requested> requested) {
        List<List<Oracle.Refund>> refunds = new ArrayList<>();
        same(step, reservation.decision(), oracle(requested).decide(step.nanos(), refunds));
        if (!refunds.isEmpty()) {
            long[] left = requested.stream().mapToLong(one -> one.permits).toArray();
            held.add(new Held(reservation, refunds, left));
        }
    }

    /** Cancels a reservation, or refunds one permit of each request. */
    private static void refund(Held one, boolean whole) {
        boolean refunded = whole
                ? one.reservation.cancel()
                : Arrays.stream(one.left).min().orElseThrow() > 0 && one.reservation.refund(1);
        for (int i = 0; refunded && i < one.left.length; i++) {
            if (one.left[i] > 0) {
                one.refund(i, whole ? one.left[i] : 1);
            }
        }
    }

    private List<Rule> rules(int limiter) {
        return scenario.limits.get(limiter).get(inForce[limiter]);
    }

    private KeyOracle prepared(int limiter, int key) {
        return keys[limiter][key].peeked(rules(limiter), now);
    }

    private Decision peeked(Requested requested) {
        KeyOracle prepared = prepared(requested.limiter, requested.key);
        return new GroupOracle(List.of(new GroupOracle.Request(prepared, requested.permits)), now).peek();
    }

    private GroupOracle oracle(List<Requested> requested) {
        List<GroupOracle.Request> requests = new ArrayList<>();
        for (Requested one : requested) {
            KeyOracle key = keys[one.limiter][one.key];
            key.prepare(rules(one.limiter), now);
            requests.add(new GroupOracle.Request(key, one.permits));
        }
        return new GroupOracle(requests, now);
    }

    private void same(Step step, Decision decided, Decision expected) {
        if (!decided.equals(expected) || decided.timeNanos() != expected.timeNanos()) {
            throw differs(step, shown(decided), shown(expected));
        }
    }

    private static String shown(Decision decision) {
        return decision + " at " + decision.timeNanos() + ", statuses " + decision.statuses();
    }

    private void same(Step step, KeySnapshot snapshot, KeySnapshot expected) {
        if (!snapshot.equals(expected)) {
            throw differs(step, snapshot.toString(), expected.toString());
        }
    }

    private AssertionError differs(Step step, String actual, String expected) {
        return new AssertionError("decision " + steps + ", time " + now + ", " + step + "\n  engine:     " + actual
                + "\n  definition: " + expected + "\n  " + scenario);
    }
}
