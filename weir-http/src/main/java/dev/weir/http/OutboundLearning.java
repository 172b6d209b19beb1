package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.internal.Futures;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes a limiter as strict as the responses of a server say, and never looser. Thread-safe. */
final class OutboundLearning {
    private final OutboundState state;
    private final RateLimiter limiter;
    private final Set<String> tightening = ConcurrentHashMap.newKeySet(); // at most one key for each call in flight

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
            ServerLimits learned =
                    new ServerLimitsReader(headers, state.log).read(status, state.settings.rateLimitHeaders());
            Duration longest = state.settings.maxBlock();
            Duration block = learned.block().compareTo(longest) > 0 ? longest : learned.block();
            if (!block.isZero()) {
                block(key, block);
            } else if (learned.remaining() < decision.remaining()) {
                tighten(key, learned.remaining());
            }
        } catch (RuntimeException failure) {
            state.log.warn("a response could not be evaluated", failure);
        }
    }

    /** Consumes another permit, as soon as there is one, while that of the call counts. */
    private void countAgain(String key) {
        long window = limiter.limits(key).list().stream()
                .mapToLong(Limit::windowNanos)
                .max()
                .orElseThrow();
        CompletableFuture<Decision> unused = limiter.tryAcquireAsync(key, Duration.ofNanos(window))
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        state.log.warn("a late call could not be counted twice", Futures.cause(failure));
                    }
                });
    }

    private void block(String key, Duration duration) {
        if (state.blocks.add(key, limiter.timeSource().nanos(), duration.toNanos())) {
            CompletableFuture<Void> unused = limiter.blockAsync(key, duration).whenComplete((none, failure) -> {
                if (failure == null) {
                    state.blocks.stored(key);
                } else {
                    state.log.warn("a key could not be blocked in the store, only in this process", failure);
                }
            });
        }
    }

    /**
     * Consumes what the limiter would grant beyond what remains at the server. The state is read afresh: it counts calls in flight
     * that the server had not counted, so the difference is not too large. One at a time for each key.
     */
    private void tighten(String key, long remaining) {
        if (tightening.add(key)) {
            CompletableFuture<@Nullable Decision> unused = Futures.attempt(() -> limiter.peekAsync(key))
                    .thenCompose(now -> now.allowed() && now.remaining() > remaining
                            ? limiter.tryAcquireAsync(key, now.remaining() - remaining)
                            : CompletableFuture.<@Nullable Decision>completedFuture(null))
                    .whenComplete((consumed, failure) -> {
                        tightening.remove(key);
                        if (failure != null) {
                            state.log.warn("the limiter could not be adapted to a response", Futures.cause(failure));
                        }
                    });
        }
    }
}
