package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.internal.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Makes a limiter as strict as the responses of a server say, and never looser. Thread-safe. */
final class OutboundLearning {
    private static final int MAX_RELEASES = 1_024;

    private final OutboundState state;
    private final RateLimiter limiter;
    private final Set<String> tightening = ConcurrentHashMap.newKeySet(); // at most one key for each call in flight
    private final AtomicInteger releases = new AtomicInteger(); // that wait for their time

    OutboundLearning(OutboundState state) {
        this.state = state;
        this.limiter = state.limiter;
    }

    /** Learns from a response to a call whose permit was due at the given time, by the given decision. */
    void learn(String key, long dueAt, Decision decision, int status, Function<String, List<String>> headers) {
        try {
            if (state.countsTwice(limiter.timeSource().nanos() - dueAt)) {
                countAgain(key);
            }
            ServerLimitsReader reader = new ServerLimitsReader(headers, state.log);
            ServerLimits learned = reader.read(status, state.settings.rateLimitHeaders());
            boolean isOver = learned.remaining() == 0 && ServerLimitsReader.isRefusal(status);
            Duration refused =
                    isOver ? ServerLimits.longer(learned.retryAfter(), learned.reset()) : learned.retryAfter();
            if (!atMostMaxBlock(refused).isZero()) {
                block(key, atMostMaxBlock(refused));
            } else if (learned.remaining() < remaining(decision)) {
                tighten(key, learned);
            }
        } catch (RuntimeException failure) {
            state.log.warn("a response could not be evaluated", failure);
        }
    }

    /** Consumes another permit, as soon as there is one, while that of the call counts. */
    private void countAgain(String key) {
        CompletableFuture<Decision> unused = limiter.tryAcquireAsync(key, Duration.ofNanos(longestWindow(key)))
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        state.log.warn("a late call could not be counted twice", Futures.cause(failure));
                    }
                });
    }

    private long longestWindow(String key) {
        return limiter.limits(key).list().stream()
                .mapToLong(Limit::windowNanos)
                .max()
                .orElseThrow();
    }

    private Duration atMostMaxBlock(Duration duration) {
        Duration longest = state.settings.maxBlock();
        return duration.compareTo(longest) > 0 ? longest : duration;
    }

    /** Returns what a call could have at once of every limit. */
    private static long remaining(Decision decision) {
        return decision.statuses().stream()
                .mapToLong(RateLimitResponse::remainingNow)
                .min()
                .orElseThrow();
    }

    private void block(String key, Duration duration) {
        OutboundBlocks.Block block = state.blocks.add(key, limiter.timeSource().nanos(), duration.toNanos());
        if (block != null) {
            CompletableFuture<Void> unused = limiter.blockAsync(key, duration).whenComplete((none, failure) -> {
                if (failure == null) {
                    state.blocks.stored(key, block);
                } else {
                    state.log.warn("a key could not be blocked in the store, only in this process", failure);
                }
            });
        }
    }

    /**
     * Makes the limiter as strict as the server, if it would grant more than remains there. The state is read afresh: it counts calls
     * in flight that the server had not counted. One at a time for each key.
     */
    private void tighten(String key, ServerLimits learned) {
        if (tightening.add(key)) {
            CompletableFuture<Void> unused = Futures.attempt(() -> limiter.peekAsync(key))
                    .thenCompose(now -> {
                        long excess = now.allowed() ? remaining(now) - learned.remaining() : 0;
                        return excess > 0 ? tighten(key, learned, excess) : CompletableFuture.completedFuture(null);
                    })
                    .whenComplete((none, failure) -> {
                        tightening.remove(key);
                        if (failure != null) {
                            state.log.warn("the limiter could not be adapted to a response", Futures.cause(failure));
                        }
                    });
        }
    }

    /** Blocks the key until the server's reset if nothing remains; else consumes the excess until then. */
    private CompletableFuture<Void> tighten(String key, ServerLimits learned, long excess) {
        Duration reset = atMostMaxBlock(learned.reset());
        if (learned.remaining() == 0 && !reset.isZero()) {
            block(key, reset);
            return CompletableFuture.completedFuture(null);
        }
        return limiter.reserveAsync(key, excess, Duration.ZERO)
                .thenAccept(consumed -> releaseAfter(learned.reset(), consumed, longestWindow(key)));
    }

    /** Releases what was consumed when it no longer holds, unless it expires before. */
    private void releaseAfter(Duration reset, Reservation consumed, long windowNanos) {
        boolean isEarlier = !reset.isZero() && reset.compareTo(Duration.ofNanos(windowNanos)) < 0;
        if (!isEarlier || !consumed.decision().allowed()) {
            return;
        }
        if (releases.incrementAndGet() > MAX_RELEASES) {
            releases.decrementAndGet();
            return; // it expires by itself, later
        }
        CompletableFuture<Void> unused = limiter.timeSource()
                .after(reset.toNanos())
                .whenComplete((none, failure) -> {
                    releases.decrementAndGet();
                    consumed.cancel();
                });
    }
}
