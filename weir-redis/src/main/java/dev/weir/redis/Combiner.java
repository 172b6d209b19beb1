package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.redis.Flight.Group;
import dev.weir.store.Claim;
import dev.weir.store.StoreException;
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
 * Lets the calls of this process share scripts. Those for one key have one script in flight, and go in order of arrival; those
 * for other keys go along where one server has them all. Each call is answered by its deadline, by Redis or by a {@link
 * StoreException}; a booking that comes after that is given back. Thread-safe; its lock is never held while calling out.
 */
final class Combiner {
    private static final int MAX_FLIGHTS = 4; // more would share less, fewer would leave the server waiting
    private static final int MAX_LINES = 64;
    private static final int MAX_CALLS = 256;
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

    Combiner(Link link, Keys keys, RedisStore.Builder settings) {
        this.link = link;
        this.wire = new Wire(link);
        this.keys = keys;
        this.time = settings.time;
        this.timeoutNanos = settings.timeout.toNanos();
        this.remembered = new DenialMemory(settings.denialMemory().toNanos(), this::letGo);
        this.tooLate = "Redis did not answer within " + settings.timeout.toMillis() + " ms";
    }

    /**
     * One thread, which goes when it has been idle. It runs nobody else's code: a deadline is kept whatever the callers do with
     * the threads that tell them.
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

    /** A denial that is remembered for such a request; null if the server has to be asked. */
    @Nullable
    Decision denied(String limiter, Limits limits, String key, long permits, long maxWaitNanos) {
        Line line = found(limiter, key);
        return line == null ? null : line.denied(limits, permits, maxWaitNanos);
    }

    private @Nullable Line found(String limiter, String key) {
        ConcurrentHashMap<String, Line> ofLimiter = lines.get(limiter);
        return ofLimiter == null ? null : ofLimiter.get(key);
    }

    /** Asks for one key, along with others. */
    Call ask(Claim claim, long maxWaitNanos) {
        Call call = call(List.of(claim), maxWaitNanos);
        Line known = found(claim.limiter(), claim.key());
        Line asked = known != null ? known : new Line(claim.limiter(), claim.key(), keys.of(List.of(claim)));
        StoreException open = link.circuit(asked.slot).open();
        if (open != null) {
            call.completeExceptionally(open);
            return call;
        }
        synchronized (lock) {
            if (waiting >= MAX_WAITING) {
                call.completeExceptionally(new StoreException(MAX_WAITING + " requests wait for Redis already"));
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

    /** Runs a script for one call; without values it asks for a decision on its claims. */
    Call run(Script script, List<Claim> claims, long maxWaitNanos, byte @Nullable [][] values) {
        Call call = call(claims, maxWaitNanos);
        Flight flight = new Flight(script, call, keys.of(claims), values);
        synchronized (lock) {
            if (flights.size() >= MAX_WAITING) {
                call.completeExceptionally(new StoreException(MAX_WAITING + " requests wait for Redis already"));
                return call;
            }
            flight.late = true; // it keeps nobody waiting
            flights.add(flight);
            tick();
        }
        send(flight);
        if (!flight.decides()) {
            lift(claims); // not before: a denial might be told that the server has given by then
        }
        return call;
    }

    private Call call(List<Claim> claims, long maxWaitNanos) {
        return new Call(claims, maxWaitNanos, System.nanoTime() + timeoutNanos);
    }

    /** Forgets the denials of these keys, and those that are on their way: what they were given for has changed. */
    private void lift(List<Claim> claims) {
        for (Claim claim : claims) {
            Line line = found(claim.limiter(), claim.key());
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

    /** Sends all that may be sent now. */
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
            int calls = 0;
            while (!ready.isEmpty() && groups.size() < most && calls < MAX_CALLS) {
                Line line = ready.remove();
                List<Call> group = take(line, MAX_CALLS - calls);
                if (group.isEmpty()) {
                    line.busy = false;
                    letGo(line);
                } else {
                    groups.add(new Group(line, line.lifted, group));
                    taken.add(line);
                    calls += group.size();
                }
            }
            if (groups.isEmpty()) {
                return null;
            }
            Flight flight = new Flight(groups, taken);
            flights.add(flight);
            sharing++;
            return flight;
        }
    }

    /** The first calls of a line that are under the same limits, without those whose time is over. */
    private List<Call> take(Line line, int most) {
        List<Call> group = new ArrayList<>();
        while (!line.waiting.isEmpty() && group.size() < most) {
            Call first = line.waiting.peek();
            if (!first.isDone()) {
                if (!group.isEmpty() && !group.get(0).agreesWith(first)) {
                    break;
                }
                group.add(first);
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
                answers = Reply.answers(packed, flight.askers());
            }
        } catch (RuntimeException unreadable) {
            failed = new StoreException("Redis answered what cannot be read", unreadable);
        }
        synchronized (lock) {
            flights.remove(flight);
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
        if (!flight.decides()) {
            lift(calls.get(0).claims()); // it may have been sent again, and overtaken by requests
        }
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Answer answer = i < answers.size() ? answers.get(i) : null;
            if (failed != null) {
                call.completeExceptionally(failed instanceof StoreException why ? Circuit.again(why) : failed);
            } else if (answer != null && answer.refused()) {
                call.completeExceptionally(new StoreException("Redis refused: " + answer.refusal()));
            } else if (!call.complete(answer)) {
                giveBackLate(call, answer);
            }
        }
    }

    /** Lets the next script of its lines be sent. */
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

    private void giveBackLate(Call call, @Nullable Answer answer) {
        if (answer != null && answer.handle().length > 0) {
            Call unused = giveBack(
                    call.claims(), call.claims().stream().map(Claim::permits).toList(), answer.handle(), true);
        }
    }

    /** Gives back so many permits of each claim of a booking. It does not wait; what fails is forfeited. */
    Call giveBack(List<Claim> claims, List<Long> permits, byte[] handle, boolean first) {
        return run(Script.GIVE_BACK, claims, 0, PackedAsks.giveBack(time.get(), claims, permits, handle, first));
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

    /** Answers for Redis where it is late. */
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
