package dev.weir.testkit;

import dev.weir.Accounting.Method;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random history of requests for two keys of different limiters, and checks of what its decisions promise. Grants are counted by
 * {@link Grants}; the other promises are those of {@link Decision}. Times are in ticks of the store, counted from the start.
 */
final class History {
    private static final int KNOWN_INSTANTS = 10;
    private static final int SHOWN_CALLS = 40;

    /**
     * The limits and the disturbance of histories.
     *
     * @param limits of each of the two limiters: those that it changes between, one if they do not change
     * @param disturbance happens to the store at times; null if nothing does, so that denials must be necessary
     */
    record Setting(
            List<List<Limits>> limits,
            long tickNanos,
            @Nullable Disturbance disturbance) {}

    /** A change to the state of keys that must not break a bound, such as an eviction. */
    @FunctionalInterface
    interface Disturbance {
        void disturb(int which, List<Request> keys);
    }

    private final Setting setting;
    private final ManualTimeSource time;
    private final long start;
    private final long tickNanos;
    private final String name;
    private final List<Subject> subjects = new ArrayList<>();
    private final List<Reserved> reserved = new ArrayList<>();
    private final List<Long> known = new ArrayList<>();
    private final boolean undisturbed;
    private final List<Call> calls = new ArrayList<>();
    private int others;
    private int attempts;

    /** The part of a reservation that is counted under one limit. */
    private record Part(Subject subject, Grants grants, Grants.Grant grant) {}

    private static final class Reserved {
        final Reservation reservation;
        final List<Part> parts;
        final long at;
        long refundable;

        Reserved(Reservation reservation, List<Part> parts, long permits, long at) {
            this.reservation = reservation;
            this.at = at;
            this.parts = parts;
            this.refundable = permits;
        }
    }

    /** Creates a history on a store whose time source is this one; the name separates its keys from those of others. */
    History(Setting setting, Store store, ManualTimeSource time, String name) {
        this.setting = setting;
        this.time = time;
        this.name = name;
        this.tickNanos = setting.tickNanos;
        this.start = time.nanos() / tickNanos;
        this.undisturbed = setting.disturbance == null;
        for (List<Limits> alternatives : setting.limits) {
            RateLimiter limiter = RateLimiter.builder()
                    .name("limiter" + subjects.size())
                    .limits(alternatives.get(0))
                    .store(store)
                    .build();
            subjects.add(new Subject(limiter, alternatives));
        }
    }

    /** Runs all steps. Throws an {@link AssertionError} if a promise is broken. */
    void run(List<Step> steps) {
        for (Step step : steps) {
            try {
                take(step);
            } catch (RuntimeException failure) {
                throw new AssertionError(withCalls(step + " failed with " + failure), failure);
            }
        }
    }

    private long now() {
        return time.nanos() / tickNanos;
    }

    private void pass(long ticks) {
        time.advanceNanos(Math.max(0, ticks) * tickNanos);
    }

    private Duration duration(long ticks) {
        return Duration.ofNanos(ticks * tickNanos);
    }

    private long ticks(long nanos) {
        require(nanos % tickNanos == 0, "whole ticks", nanos);
        return nanos / tickNanos;
    }

    private void require(boolean holds, String promise, Object... values) {
        if (!holds) {
            throw new AssertionError(withCalls("broken: " + promise + ": " + Arrays.toString(values)));
        }
    }

    private String withCalls(String message) {
        StringBuilder text = new StringBuilder(message);
        text.append("\ncalls, in ticks since ").append(start).append(", at ").append(now() - start);
        calls.subList(Math.max(0, calls.size() - SHOWN_CALLS), calls.size())
                .forEach(call -> text.append("\n  ").append(call));
        return text.toString();
    }

    private void note(List<Subject> of, String what, long number, long maxWait, @Nullable Object answer) {
        List<Limits> limits = of.stream().map(each -> each.limits).toList();
        calls.add(new Call(now() - start, of.get(0).limiter.name(), what, number, maxWait, limits, answer));
    }

    private void take(Step step) {
        if (step.pass() >= 0) {
            pass(step.pass());
        } else if (!known.isEmpty()) {
            pass(known.get(step.which() % known.size()) + step.pass() + 2 - now());
        }
        Subject subject = subjects.get(step.which() % 4 == 0 ? 1 : 0);
        switch (step.op()) {
            case TRY -> attempt(subject, step.permits());
            case RESERVE -> reserve(subject, step.permits(), step.maxWait());
            case REFUND, CANCEL -> refund(step);
            case JOINT -> joint(step);
            case RETRY -> retry(subject, step.permits());
            case MAX_WAIT -> maxWait(subject, step.permits());
            case REMAINING -> remaining(subject);
            case DRAIN -> drain(subject);
            case OTHER_KEYS -> {
                for (int i = 0; i < 4; i++) {
                    Decision unused = subject.limiter.tryAcquire(name + "other" + others++);
                }
            }
            case CHANGE -> {
                subject.change(subject.alternatives.get(step.which() / 4 % subject.alternatives.size()));
                note(List.of(subject), "changeLimits to", 0, 0, null);
            }
            case BLOCK -> {
                long wait = 1 + step.maxWait() / 2;
                subject.limiter.block(key(), duration(wait));
                note(List.of(subject), "block for", wait, 0, null);
                subject.blockedUntil = Math.max(subject.blockedUntil, now() + wait);
            }
            case UNBLOCK -> {
                subject.limiter.unblock(key());
                note(List.of(subject), "unblock", 0, 0, null);
                subject.unblocked(now());
            }
            case RESET -> {
                subject.limiter.reset(key());
                note(List.of(subject), "reset", 0, 0, null);
                subject.reset(now());
                pass(1); // a store may distinguish grants before and after a reset by their times
            }
            case DISTURB -> {
                if (setting.disturbance != null) {
                    note(subjects, "disturb", 0, 0, step.which());
                    setting.disturbance.disturb(
                            step.which(),
                            subjects.stream()
                                    .map(each -> each.limiter.request(key(), 1))
                                    .toList());
                }
            }
        }
    }

    private String key() {
        return name + "key";
    }

    // Decisions.

    private Decision attempt(Subject subject, long permits) {
        boolean peeks = ++attempts % 4 == 0; // seldom, because a peek ends the state that grants of one tick share
        boolean fits = peeks && peek(subject, permits).allowed();
        Decision decision = subject.limiter.tryAcquire(key(), permits);
        note(List.of(subject), "tryAcquire", permits, 0, decision);
        require(!peeks || fits == decision.allowed(), "decided as peeked before", fits, decision);
        boolean isSeen = peeks && undisturbed && !subject.counts(Method.LOG_OF_ATTEMPTS);
        long remaining = isSeen ? peek(subject, 1).remaining() : decision.remaining();
        require(remaining == decision.remaining(), "remaining of a peek afterwards", decision, remaining);
        record(List.of(subject), permits, 0, decision, null);
        return decision;
    }

    private Decision reserve(Subject subject, long permits, long maxWait) {
        Reservation reservation = subject.limiter.reserve(key(), permits, duration(maxWait));
        note(List.of(subject), "reserve", permits, maxWait, reservation.decision());
        record(List.of(subject), permits, maxWait, reservation.decision(), reservation);
        return reservation.decision();
    }

    private void joint(Step step) {
        Request[] requests = subjects.stream()
                .map(subject -> subject.limiter.request(key(), step.permits()))
                .toArray(Request[]::new);
        long maxWait = step.which() % 3 == 0 ? step.maxWait() : 0;
        Reservation reservation = RateLimiter.reserveAll(duration(maxWait), requests);
        note(subjects, "reserveAll", step.permits(), maxWait, reservation.decision());
        record(subjects, step.permits(), maxWait, reservation.decision(), reservation);
    }

    private void record(
            List<Subject> of, long permits, long maxWait, Decision decision, @Nullable Reservation reservation) {
        long wait = ticks(decision.waitNanos());
        require(wait <= maxWait, "a wait of at most", maxWait, decision);
        requireFields(of, decision);
        long at = now() + wait;
        if (!decision.never()) {
            noteInstant(decision.allowed() ? at : now() + ticks(decision.retryAfterNanos()));
            noteInstant(now() + ticks(decision.resetAfterNanos()));
        }
        List<Part> parts = new ArrayList<>();
        for (Subject subject : of) {
            boolean isFree = !decision.allowed() || at >= subject.blockedUntil;
            require(isFree || !undisturbed, "no grant while blocked", subject.blockedUntil, decision);
            for (int i = 0; i < subject.list().size(); i++) {
                Limit limit = subject.list().get(i);
                Grants grants = subject.grants(i, tickNanos, undisturbed);
                grants.decided(limit, now());
                if (decision.allowed()) {
                    String broken = grants.add(now(), at, permits);
                    require(broken.isEmpty(), "the bound of a limit", limit, broken);
                    parts.add(new Part(subject, grants, grants.newest()));
                } else {
                    grants.addDenied(now(), permits);
                    boolean alone = of.size() == 1 && subject.list().size() == 1;
                    boolean free = alone && undisturbed && maxWait == 0 && now() >= subject.blockedUntil;
                    require(!free || !grants.mustFit(now(), permits), "no unnecessary denial", decision);
                }
            }
            requireFirstComeFirstServed(subject, of.size(), at, permits, decision);
        }
        if (decision.allowed() && reservation != null) {
            reserved.add(new Reserved(reservation, parts, permits, at - start));
        }
    }

    private void requireFields(List<Subject> of, Decision decision) {
        List<Limit> limits = of.stream().flatMap(each -> each.list().stream()).toList();
        String broken = DecisionFields.broken(decision, limits);
        require(broken.isEmpty(), broken, decision, decision.statuses());
    }

    private Decision peek(Subject subject, long permits) {
        Decision seen = subject.limiter.peek(key(), permits);
        note(List.of(subject), "peek", permits, 0, seen);
        requireFields(List.of(subject), seen);
        return seen;
    }

    /** No request for as many permits or more starts before one that came earlier. */
    private void requireFirstComeFirstServed(Subject subject, int joint, long at, long permits, Decision decision) {
        if (joint > 1 || subject.list().size() > 1) {
            subject.allowOvertaking();
        } else if (decision.allowed()) {
            boolean overtakes = subject.overtakes(now(), at, permits);
            require(!overtakes || !undisturbed, "first come, first served", decision);
        }
    }

    private void noteInstant(long instant) {
        known.add(instant);
        if (known.size() > KNOWN_INSTANTS) {
            known.remove(0);
        }
    }

    private void refund(Step step) {
        if (reserved.isEmpty()) {
            return;
        }
        int i = step.which() % 2 == 0 ? step.which() % reserved.size() : reserved.size() - 1;
        Reserved granted = reserved.get(i);
        long permits = step.op() == Step.Op.CANCEL ? granted.refundable : Math.min(granted.refundable, step.permits());
        boolean done = step.op() == Step.Op.CANCEL ? granted.reservation.cancel() : granted.reservation.refund(permits);
        List<Subject> of = granted.parts.stream().map(Part::subject).distinct().toList();
        note(of, "refund", permits, 0, "granted at " + granted.at);
        require(done, "a refund");
        granted.refundable -= permits;
        for (Part part : granted.parts) {
            part.grants.refund(part.grant, permits);
            part.subject.allowOvertaking();
        }
        if (step.op() == Step.Op.CANCEL) {
            reserved.remove(i);
            require(!granted.reservation.cancel(), "a second cancel does nothing");
        }
    }

    // Promises of decisions for later requests.

    /** A denied request is denied one tick before its retry-after, and allowed then. */
    private void retry(Subject subject, long permits) {
        Decision denied = attempt(subject, permits);
        if (denied.allowed() || denied.never() || !undisturbed) {
            return;
        }
        pass(ticks(denied.retryAfterNanos()) - 1);
        if (!subject.counts(Method.LOG_OF_ATTEMPTS)) {
            Decision before = attempt(subject, permits);
            require(ticks(before.retryAfterNanos()) == 1, "denied a tick before retry-after", denied, before);
        }
        pass(1);
        Decision then = attempt(subject, permits);
        require(then.allowed(), "allowed at retry-after", denied, then);
    }

    /** A reservation waits for the retry-after of a denial, no longer and no less. */
    private void maxWait(Subject subject, long permits) {
        Decision denied = peek(subject, permits);
        boolean waits = !subject.counts(Method.LOG_OF_ATTEMPTS) && !subject.counts(Method.QUEUE);
        if (denied.allowed() || denied.never() || denied.blocked() || !undisturbed || !waits) {
            return;
        }
        if (subject.list().size() == 1) {
            long wait = ticks(denied.retryAfterNanos());
            require(!reserve(subject, permits, wait - 1).allowed(), "no wait for less than retry-after", denied);
            Decision reserved = reserve(subject, permits, wait);
            require(
                    reserved.allowed() && ticks(reserved.waitNanos()) == wait,
                    "a wait for retry-after",
                    denied,
                    reserved);
        }
    }

    /** Remaining permits are available, and one more is not. */
    private void remaining(Subject subject) {
        Decision seen = peek(subject, 1);
        long most = seen.remaining();
        if (subject.counts(Method.QUEUE) || !undisturbed) {
            return;
        }
        if (most < Long.MAX_VALUE) {
            require(!peek(subject, most + 1).allowed(), "more than remaining is denied", seen);
        }
        require(most == 0 || peek(subject, most).allowed(), "remaining is available", seen);
    }

    /** After reset-after, each limit grants all of its permits at once: none is lost. A tick before, it does not. */
    private void drain(Subject subject) {
        Decision seen = attempt(subject, 1);
        if (!undisturbed) {
            return;
        }
        long rest = Math.max(0, subject.blockedUntil - now());
        long most = 1L << 40;
        for (Status status : seen.statuses()) {
            rest = Math.max(rest, ticks(status.resetAfterNanos()));
            most = Math.min(most, status.limit().maxPermitsPerRequest());
        }
        if (rest > 0) {
            pass(rest - 1);
            requireOutstanding(seen, rest, peek(subject, 1));
            pass(1);
        }
        Decision decision = attempt(subject, most);
        require(decision.allowed(), "all permits after reset-after", seen, decision);
    }

    private void requireOutstanding(Decision seen, long rest, Decision before) {
        for (int i = 0; i < seen.statuses().size(); i++) {
            Status status = before.statuses().get(i);
            boolean isOver = ticks(seen.statuses().get(i).resetAfterNanos()) < rest;
            boolean isOutstanding = status.remaining() < status.limit().maxPermitsPerRequest();
            require(isOver || isOutstanding, "permits outstanding before reset-after", seen, before);
        }
    }
}
