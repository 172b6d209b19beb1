package dev.weir.http;

import dev.weir.Decision;
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
    private final RateLimiter limiter;
    private final OutboundBlocks blocks;
    private final Duration maxBlock;
    private final boolean rateLimitHeaders;
    private final OccasionalLog log;
    private final Set<String> tightening = ConcurrentHashMap.newKeySet(); // at most one key for each call in flight

    OutboundLearning(
            RateLimiter limiter,
            OutboundBlocks blocks,
            Duration maxBlock,
            boolean rateLimitHeaders,
            OccasionalLog log) {
        this.limiter = limiter;
        this.blocks = blocks;
        this.maxBlock = maxBlock;
        this.rateLimitHeaders = rateLimitHeaders;
        this.log = log;
    }

    /** Learns from a response to a call that was made with a permit of the given decision. */
    void learn(String key, Decision decision, int status, Function<String, List<String>> headers) {
        try {
            ServerLimits learned = new ServerLimitsReader(headers, log).read(status, rateLimitHeaders);
            Duration block =
                    learned.block().compareTo(maxBlock) > 0 ? maxBlock : learned.block(); // whatever a server says
            if (!block.isZero()) {
                block(key, block);
            } else if (learned.remaining() < decision.remaining()) {
                tighten(key, learned.remaining());
            }
        } catch (RuntimeException failure) {
            log.warn("a response could not be evaluated", failure);
        }
    }

    private void block(String key, Duration duration) {
        if (blocks.add(key, limiter.timeSource().nanos(), duration.toNanos())) {
            CompletableFuture<Void> unused = limiter.blockAsync(key, duration).whenComplete((none, failure) -> {
                if (failure == null) {
                    blocks.stored(key);
                } else {
                    log.warn("a key could not be blocked in the store, only in this process", failure);
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
                            log.warn("the limiter could not be adapted to a response", Futures.cause(failure));
                        }
                    });
        }
    }
}
