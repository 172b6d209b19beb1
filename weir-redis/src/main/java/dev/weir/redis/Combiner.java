package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.redis.Flight.Group;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Combines the calls of this process into scripts. Calls for one key have one script in flight, in order of arrival; those for
 * other keys share it if one server has them all. Each call completes by its deadline, with an answer or a {@link
 * StoreException}; a reservation that is answered later is refunded. Thread-safe; its lock is never held while calling out.
 */
final class Combiner {
    private static final int MAX_FLIGHTS = 4; // more would share less, fewer would leave the server waiting
    private static final int MAX_LINES = 64;
    private static final int MAX_WAITING = 65_536;
    private static final long TICKS_A_TIMEOUT = 10;
    private static final long FORGET_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long IDLE_SECONDS = 10;

    private final Link link;
    private final Wire wire;
    private final Keys keys;
    private final ScheduledThreadPoolExecutor deadlines = deadlines();
    private final Supplier<byte[]> time;
    private final long timeoutNanos;
    private final DenialMemory remembered; // guarded too
    private final String tooLate;

    private final ConcurrentHashMap<String, ConcurrentHashMap<String, Line>> lines = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    // guarded by the lock, and so are the lines
    private final ArrayDeque<Line> ready = new ArrayDeque<>();
    private final LinkedHashSet<Flight> flights = new LinkedHashSet<>();
    private int sharing; // flights that are not late, of lines
    private int waiting;
    private boolean ticking;
    private boolean forgetting;

    Combiner(Link link, Keys keys, Supplier<byte[]> time, Duration timeout, Duration denialMemory) {
        this.link = link;
        this.wire = new Wire(link);
        this.keys = keys;
        this.time = time;
        this.timeoutNanos = timeout.toNanos();
        this.remembered = new DenialMemory(denialMemory.toNanos(), this::letGo);
        this.tooLate = "Redis did not answer within " + timeout.toMillis() + " ms";
    }

    /**
     * Creates the thread of deadlines, which ends when it has been idle. It runs no code of users, so that deadlines are kept
     * whatever that code does.
     */
    private static ScheduledThreadPoolExecutor deadlines() {
        ScheduledThreadPoolExecutor one = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "weir-redis-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        one.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** Returns the cached denial of such a request; null if the server must decide. */
    @Nullable
    Decision denied(String limiter, Limits limits, String key, long permits, long maxWaitNanos) {
        Line line = found(limiter, key);
        return line == null ? null : line.denied(limits, permits, maxWaitNanos);
    }

    private @Nullable Line found(String limiter, String key) {
        ConcurrentHashMap<String, Line> ofLimiter = lines.get(limiter);
        return ofLimiter == null ? null : ofLimiter.get(key);
    }

    /** Decides a request, in one script with others. */
    Call decide(Request request, long maxWaitNanos) {
        Call call = call(List.of(request), maxWaitNanos, false);
        Line known = found(request.limiter(), request.key());
        Line asked = known != null ? known : new Line(request.limiter(), request.key(), keys.of(List.of(request)));
        StoreException open = link.circuit(asked.slot).open();
        if (open != null) {
            call.completeExceptionally(open);
            return call;
        }
        synchronized (lock) {
            if (waiting >= MAX_WAITING) {
                call.completeExceptionally(new StoreException("too many requests wait for Redis: " + MAX_WAITING));
                return call;
            }
            Line line = lines.computeIfAbsent(asked.limiter, limiter -> new ConcurrentHashMap<>())
                    .computeIfAbsent(asked.key, key -> asked);
            line.waiting.add(call);
            waiting++;
            makeReady(line);
            tick();
        }
        pump();
        return call;
    }

    /** Decides requests of one slot in a script of their own; they may be a part of a larger joint request. */
    Call decideTogether(List<Request> requests, long maxWaitNanos, boolean part) {
        return run(Script.deciding(requests), call(requests, maxWaitNanos, part), null);
    }

    /** Returns what {@link #decideTogether} without a wait would decide, and writes nothing. */
    Call look(List<Request> requests, boolean part) {
        Call call = call(requests, 0, part);
        return run(Script.deciding(requests), call, PackedRequests.of(time.get(), List.of(List.of(call)), true));
    }

    /** Runs a script for requests of one slot. */
    Call run(Script script, List<Request> requests, byte[][] values) {
        return run(script, call(requests, 0, false), values);
    }

    private Call run(Script script, Call call, byte @Nullable [][] values) {
        List<Request> requests = call.requests();
        Flight flight = new Flight(script, call, keys.of(requests), values);
        synchronized (lock) {
            if (flights.size() >= MAX_WAITING) {
                call.completeExceptionally(new StoreException("too many requests wait for Redis: " + MAX_WAITING));
                return call;
            }
            flight.late = true; // others need not wait for it
            flights.add(flight);
            tick();
        }
        send(flight);
        if (script.liftsDenials()) {
            lift(requests); // not earlier: a denial that was decided before could be cached meanwhile
        }
        return call;
    }

    private Call call(List<Request> requests, long maxWaitNanos, boolean part) {
        return new Call(requests, maxWaitNanos, System.nanoTime() + timeoutNanos, part);
    }

    /** Discards cached denials of these keys, and those in scripts that are in flight: the keys' states have changed. */
    private void lift(List<Request> requests) {
        for (Request request : requests) {
            Line line = found(request.limiter(), request.key());
            if (line != null) {
                synchronized (lock) {
                    line.lift();
                    letGo(line);
                }
            }
        }
    }

    private void makeReady(Line line) {
        if (!line.busy) {
            line.busy = true;
            ready.add(line);
        }
    }

    private void letGo(Line line) {
        ConcurrentHashMap<String, Line> ofLimiter = lines.get(line.limiter);
        if (line.isIdle() && ofLimiter != null) {
            ofLimiter.remove(line.key, line);
        }
    }

    /** Sends all scripts that may be sent now. */
    private void pump() {
        for (Flight next = next(); next != null; next = next()) {
            send(next);
        }
    }

    private @Nullable Flight next() {
        int most = link.joinsSlots() ? MAX_LINES : 1;
        synchronized (lock) {
            if (link.joinsSlots() && sharing >= MAX_FLIGHTS) {
                return null;
            }
            List<Group> groups = new ArrayList<>();
            List<Line> taken = new ArrayList<>();
            int cost = 0;
            Script script = null;
            while (!ready.isEmpty() && groups.size() < most && cost < Script.MAX_COST) {
                Line line = ready.element();
                Call first = line.waiting.peek();
                Script one = script == null || first == null ? script : Script.deciding(first.requests());
                if (one != script) {
                    break; // a script of its own
                }
                ready.remove();
                List<Call> group = take(line, Script.MAX_COST - cost);
                if (group.isEmpty()) {
                    line.busy = false;
                    letGo(line);
                } else {
                    groups.add(new Group(line, line.lifted, group));
                    taken.add(line);
                    script = Script.deciding(group.get(0).requests());
                    cost += group.size() * Script.cost(group.get(0).requests());
                }
            }
            if (script == null) {
                return null;
            }
            Flight flight = new Flight(script, groups, taken);
            flights.add(flight);
            sharing++;
            return flight;
        }
    }

    /** Takes the first calls of a line that have the same limits, up to a cost, without those that are complete. */
    private List<Call> take(Line line, int most) {
        List<Call> group = new ArrayList<>();
        int cost = 0;
        while (!line.waiting.isEmpty() && cost < most) {
            Call first = line.waiting.peek();
            if (!first.isDone()) {
                if (!group.isEmpty() && !group.get(0).agreesWith(first)) {
                    break;
                }
                group.add(first);
                cost += Script.cost(first.requests());
            }
            line.waiting.remove();
            waiting--;
        }
        return group;
    }

    private void send(Flight flight) {
        var answer = wire.send(flight.script, flight.slot, flight.keys(), flight.values(time.get()));
        boolean atOnce = answer.isDone(); // then the caller goes on, else the call stack would grow
        var unused = answer.whenComplete((told, failure) -> {
            landed(flight, told, failure);
            if (!atOnce) {
                pump();
            }
        });
    }

    private void landed(Flight flight, @Nullable Object told, @Nullable Throwable failure) {
        List<Answer> answers = List.of();
        Throwable failed = failure;
        try {
            if (flight.decides() && told instanceof byte[] packed) {
                answers = Reply.answers(packed, flight.callsOfGroups());
            }
        } catch (RuntimeException unreadable) {
            failed = new StoreException("the answer of Redis is unreadable", unreadable);
        }
        synchronized (lock) {
            flights.remove(flight);
            requeue(flight, answers);
            release(flight);
            remembered.learn(flight, answers);
            forgetLater();
            flight.groups.forEach(group -> {
                if (group.line() != null) {
                    letGo(group.line());
                }
            });
        }
        List<Call> calls = flight.calls();
        if (flight.script.liftsDenials()) {
            lift(calls.get(0).requests()); // it may have been sent whole, and overtaken by requests
        }
        if (!flight.decides() && told instanceof byte[] raw) {
            calls.get(0).setRaw(raw);
        }
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Answer answer = i < answers.size() ? answers.get(i) : null;
            if (failed != null) {
                call.completeExceptionally(failed instanceof StoreException why ? Circuit.again(why) : failed);
            } else if (answer != null && answer.refused()) {
                call.completeExceptionally(new StoreException("Redis refused: " + answer.refusal()));
            } else if (answer != null && answer.isUndecided()) {
                decideAgain(flight, call);
            } else if (!call.complete(answer)) {
                refundLate(call, answer);
            }
        }
    }

    /** Puts calls that the script did not decide in front of those of their lines. */
    private void requeue(Flight flight, List<Answer> answers) {
        int end = answers.size();
        for (int g = flight.groups.size() - 1; g >= 0 && end > 0; g--) {
            Group group = flight.groups.get(g);
            for (int i = group.calls().size() - 1; i >= 0; i--) {
                if (answers.get(--end).isUndecided() && group.line() != null) {
                    group.line().waiting.addFirst(group.calls().get(i));
                    waiting++;
                    makeReady(group.line());
                }
            }
        }
    }

    private void decideAgain(Flight flight, Call call) {
        if (flight.groups.get(0).line() == null) {
            var unused = run(flight.script, call, null);
        }
    }

    /** Allows the next script of its lines to be sent. */
    private void release(Flight flight) {
        if (flight.late) {
            return;
        }
        flight.late = true;
        sharing--;
        for (Group group : flight.groups) {
            Line line = group.line();
            if (line != null) {
                line.busy = false;
                if (!line.waiting.isEmpty()) {
                    makeReady(line);
                }
            }
        }
    }

    private void refundLate(Call call, @Nullable Answer answer) {
        if (answer != null && answer.handle().length > 0) {
            Call unused = refund(
                    call.requests(),
                    call.requests().stream().map(Request::permits).toList(),
                    answer.handle(),
                    true);
        }
    }

    /** Refunds permits of each request of a reservation; if that fails, they count until they expire. */
    Call refund(List<Request> requests, List<Long> permits, byte[] handle, boolean first) {
        return run(Script.REFUND, requests, PackedRequests.refund(time.get(), requests, permits, handle, first));
    }

    private void tick() {
        if (!ticking) {
            ticking = true;
            var unused = deadlines.schedule(this::tickNow, timeoutNanos / TICKS_A_TIMEOUT, TimeUnit.NANOSECONDS);
        }
    }

    private void forgetLater() {
        if (!forgetting && !remembered.isEmpty()) {
            forgetting = true;
            var unused = deadlines.schedule(this::forgetNow, FORGET_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    private void forgetNow() {
        synchronized (lock) {
            forgetting = false;
            remembered.forget(System.nanoTime());
            forgetLater();
        }
    }

    /** Fails the calls whose deadline has passed. */
    private void tickNow() {
        long now = System.nanoTime();
        List<Call> late = new ArrayList<>();
        List<Flight> unanswered = new ArrayList<>();
        synchronized (lock) {
            ticking = false;
            for (Flight flight : flights) {
                boolean overdue = false;
                for (Group group : flight.groups) {
                    for (Call call : group.calls()) {
                        if (!call.isDone() && now - call.deadline >= 0) {
                            late.add(call);
                            overdue = true;
                        }
                    }
                    if (group.line() != null) {
                        overdue(group.line(), now, late);
                    }
                }
                if (overdue && !flight.unanswered) {
                    flight.unanswered = true;
                    unanswered.add(flight);
                }
            }
            unanswered.forEach(this::release);
            ready.forEach(line -> overdue(line, now, late));
            if (!flights.isEmpty() || !ready.isEmpty()) {
                tick();
            }
        }
        unanswered.forEach(flight -> link.circuit(flight.slot).unanswered());
        late.forEach(call -> call.completeExceptionally(new StoreException(tooLate)));
        pump();
    }

    private static void overdue(Line line, long now, List<Call> late) {
        for (Call call : line.waiting) {
            if (now - call.deadline < 0) {
                break;
            }
            if (!call.isDone()) {
                late.add(call);
            }
        }
    }
}
