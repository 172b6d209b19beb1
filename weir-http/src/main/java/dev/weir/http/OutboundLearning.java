package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.Status;
import dev.weir.TimeSource;
import dev.weir.http.ServerLimits.Quota;
import dev.weir.internal.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a limiter as strict as the responses of a server say, and never looser: the first one of those of a call. What is held is a part
 * of what the strictest limit grants now, so beside a shorter limit it has no effect before the end of a quota. Thread-safe.
 */
final class OutboundLearning {
    private static final int TRIES = 3; // if calls take permits between two steps

    /** The longest first pause while the store fails; calls that wait for a permit have the same. */
    static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The part of the longest window that the first pause of a late call lasts, if that is less. */
    private static final int FIRST_PAUSE_PART = 16;

    private final OutboundState state;
    private final AtomicInteger holds = new AtomicInteger(); // of all keys
    final Map<OutboundKey, Tightening> keys = new ConcurrentHashMap<>(); // at most one for each call in flight, or hold

    /**
     * A call that a response answers.
     *
     * @param key that of its first request, to which the response applies
     * @param requests for its permits
     * @param dueAt when its permits were due, on the clock of the limiters
     * @param stamp that of its permits, as for {@link OutboundBlocks#waitNanos}
     * @param reservation that of its permits
     */
    record Call(OutboundKey key, List<Request> requests, long dueAt, long stamp, Reservation reservation) {}

    /** What is being learned of a key, one response after the other. Guarded by the map. */
    static final class Tightening {
        final OutboundHolds holds;

        @Nullable
        ServerLimits current;

        @Nullable
        ServerLimits next;

        Tightening(OutboundHolds holds) {
            this.holds = holds;
        }
    }

    /**
     * Permits to be held until an instant.
     *
     * @param remaining what the limiter is to grant in addition
     * @param expires whether they expire by that instant
     */
    private record Excess(long permits, long remaining, long end, boolean expires) {}

    OutboundLearning(OutboundState state) {
        this.state = state;
    }

    /** Learns from the response to a call. */
    void learn(Call call, int status, Function<String, List<String>> headers) {
        OutboundKey key = call.key;
        try {
            if (state.countsTwice(key.limiter().timeSource().nanos() - call.dueAt)) {
                call.requests.forEach(
                        request -> countAgain(request, key.limiter().timeSource()));
            }
            ServerLimitsReader reader = new ServerLimitsReader(headers, state.headerLog);
            ServerLimits learned = reader.read(status, state.settings.rateLimitHeaders());
            Duration refused = ServerLimitsReader.isRefusal(status)
                    ? ServerLimits.longer(learned.retryAfter(), learned.exhaustedFor())
                    : Duration.ZERO;
            if (state.settings.maxBlock().isZero()) {
                return; // responses must not block
            } else if (!refused.isZero()) {
                block(key, call.stamp, atMostMaxBlock(refused));
            } else if (isNews(learned, call.reservation.decision())) {
                tighten(key, learned);
            }
        } catch (RuntimeException failure) {
            state.log.warn("a response could not be evaluated", failure);
        }
    }

    /** Returns whether fewer calls remain than a decision says, or none, and for longer than a limit of the decision explains. */
    private static boolean isNews(ServerLimits learned, Decision decision) {
        return learned.remaining() < remaining(decision) || isExhausted(learned, decision);
    }

    private static boolean isExhausted(ServerLimits learned, Decision decision) {
        long reset = nanos(learned.exhaustedFor());
        return reset > 0
                && statuses(decision)
                        .noneMatch(status -> RateLimitResponse.remainingNow(status) == 0
                                && reset - ServerLimits.RESOLUTION_NANOS <= status.resetAfterNanos());
    }

    /** Consumes the permits of a call again, of each key as soon as there are as many, while the call counts. */
    private void countAgain(Request request, TimeSource time) {
        CompletableFuture<Decision> unused = acquire(request, time, time.nanos())
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        state.log.warn("a late call could not be counted twice", Futures.cause(failure));
                    } else if (!decision.allowed() && decision.degraded()) {
                        state.log.warn("a late call could not be counted twice, because the store failed", null);
                    }
                });
    }

    /**
     * Acquires permits. If they are denied because the store failed, tries again until the longest window has passed, after pauses
     * that double.
     */
    private static CompletableFuture<Decision> acquire(Request request, TimeSource time, long since) {
        long window = longestWindow(request.limits().list());
        return RateLimiter.tryAcquireAllAsync(Duration.ofNanos(window), request).thenCompose(decision -> {
            long passed = time.nanos() - since;
            if (decision.allowed() || !decision.degraded() || passed >= window) {
                return CompletableFuture.completedFuture(decision);
            }
            long pause = Math.max(passed, Math.min(FIRST_PAUSE_NANOS, window / FIRST_PAUSE_PART));
            return Futures.on(time.executor(), time.after(pause)).thenCompose(ended -> acquire(request, time, since));
        });
    }

    private static long longestWindow(List<Limit> limits) {
        return limits.stream().mapToLong(Limit::windowNanos).max().orElseThrow();
    }

    private Duration atMostMaxBlock(Duration duration) {
        Duration longest = state.settings.maxBlock();
        return duration.compareTo(longest) > 0 ? longest : duration;
    }

    /** Returns what a call could have at once of every limit. */
    private static long remaining(Decision decision) {
        return statuses(decision)
                .mapToLong(RateLimitResponse::remainingNow)
                .min()
                .orElseThrow();
    }

    /** Returns what a decision says of the key to which a response applies. */
    private static Stream<Status> statuses(Decision decision) {
        return decision.statuses().stream().filter(status -> status.request() == 0);
    }

    private void block(OutboundKey key, long stamp, Duration duration) {
        OutboundBlocks.Block block =
                state.blocks.add(key, stamp, key.limiter().timeSource().nanos(), nanos(duration));
        if (block != null) {
            CompletableFuture<Void> unused = key.limiter()
                    .blockAsync(key.name(), duration)
                    .whenComplete((none, failure) -> {
                        if (failure == null) {
                            state.blocks.stored(key, block);
                        } else {
                            state.log.warn("a key could not be blocked in the store, only in this process", failure);
                        }
                    });
        }
    }

    /** Makes the limiter as strict as the server. What is learned of the same key in that time follows. */
    private void tighten(OutboundKey key, ServerLimits learned) {
        keys.compute(key, (same, known) -> {
            Tightening of = known == null
                    ? new Tightening(new OutboundHolds(key.limiter().timeSource(), holds, () -> removeIfIdle(key)))
                    : known;
            ServerLimits waiting = of.next;
            of.next = waiting == null ? learned : waiting.and(learned);
            return of;
        });
        tightenNext(key);
    }

    private void tightenNext(OutboundKey key) {
        CompletableFuture<Void> step = CompletableFuture.completedFuture(null);
        while (step.isDone()) {
            Tightening begun = begin(key);
            if (begun == null) {
                return;
            }
            ServerLimits learned = Objects.requireNonNull(begun.current);
            step = Futures.attempt(() -> tighten(key, begun.holds, learned, TRIES))
                    .whenComplete((none, failure) -> end(key, failure));
        }
        CompletableFuture<Void> unused = step.whenComplete((none, failure) -> tightenNext(key));
    }

    /** Begins a step; null if there is nothing to learn, or if another step is in progress. */
    private @Nullable Tightening begin(OutboundKey key) {
        boolean[] begun = new boolean[1];
        Tightening of = keys.computeIfPresent(key, (same, known) -> {
            if (known.current == null) {
                known.current = known.next;
                known.next = null;
                begun[0] = known.current != null;
            }
            return isIdle(known) ? null : known;
        });
        return begun[0] ? of : null;
    }

    private void end(OutboundKey key, @Nullable Throwable failure) {
        keys.computeIfPresent(key, (same, of) -> {
            of.current = null;
            return of;
        });
        if (failure != null) {
            state.log.warn("the limiter could not be adapted to a response", Futures.cause(failure));
        }
    }

    private static boolean isIdle(Tightening of) {
        return of.current == null && of.next == null && of.holds.isEmpty();
    }

    private void removeIfIdle(OutboundKey key) {
        keys.computeIfPresent(key, (same, of) -> isIdle(of) ? null : of);
    }

    /**
     * Blocks the key until the server's reset if nothing remains, else holds what the limiter would grant beyond each quota.
     * The state is read afresh: it counts calls in flight that the server had not counted.
     */
    private CompletableFuture<Void> tighten(OutboundKey key, OutboundHolds held, ServerLimits learned, int tries) {
        long stamp = state.blocks.stamp();
        return key.limiter().peekAsync(key.name()).thenCompose(now -> {
            Duration exhausted = atMostMaxBlock(learned.exhaustedFor());
            boolean grants = now.allowed() && remaining(now) > 0;
            if (!exhausted.isZero() && (grants || isExhausted(learned, now))) {
                block(key, now.blocked() || now.degraded() ? OutboundBlocks.NOT_OF_STORE : stamp, exhausted);
                return CompletableFuture.completedFuture(null);
            }
            List<Excess> excesses = excesses(key, held, learned, grants ? remaining(now) : 0);
            return hold(key, held, excesses, 0)
                    .thenCompose(done -> done || tries <= 1
                            ? CompletableFuture.completedFuture(null)
                            : tighten(key, held, learned, tries - 1));
        });
    }

    /** Returns what to hold, the longest first; what is held for a shorter time is held for longer where that suffices. */
    private List<Excess> excesses(OutboundKey key, OutboundHolds held, ServerLimits learned, long available) {
        long now = key.limiter().timeSource().nanos();
        long window = longestWindow(key.limits());
        List<Excess> excesses = new ArrayList<>();
        long left = available;
        for (Quota quota : learned.quotas()) {
            long until = Math.min(window, nanos(atMostMaxBlock(quota.reset())));
            long end = now + until;
            long excess = left - quota.remaining();
            if (excess > 0) {
                excesses.add(new Excess(excess, quota.remaining(), end, until == window));
                left -= excess;
            }
            held.releaseAtMost(quota.remaining() - left, end);
        }
        return excesses;
    }

    /** Holds the excesses from one on. Returns false if a call or another process was faster: the state must be read again. */
    private CompletableFuture<Boolean> hold(OutboundKey key, OutboundHolds held, List<Excess> excesses, int first) {
        if (first == excesses.size() || !held.hasRoom()) {
            return CompletableFuture.completedFuture(true);
        }
        Excess excess = excesses.get(first);
        return key.limiter()
                .reserveAsync(key.name(), excess.permits, Duration.ZERO)
                .thenCompose(reservation -> {
                    if (!reservation.decision().allowed()) {
                        return CompletableFuture.completedFuture(false);
                    }
                    // Another process may have held the same since the state was read, or a call may have
                    // taken permits. Until the surplus is refunded, others may take it for permits that are
                    // used, and release what they hold.
                    long surplus =
                            Math.max(0, Math.min(excess.permits, excess.remaining - remaining(reservation.decision())));
                    reservation.refund(surplus);
                    if (!excess.expires && surplus < excess.permits) {
                        held.add(reservation, excess.permits - surplus, excess.end);
                    }
                    return surplus > 0
                            ? CompletableFuture.completedFuture(false)
                            : hold(key, held, excesses, first + 1);
                });
    }

    private static long nanos(Duration duration) {
        Duration longest = Duration.ofNanos(Long.MAX_VALUE / 4);
        return duration.compareTo(longest) > 0 ? longest.toNanos() : duration.toNanos();
    }
}
