package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.Limits;
import dev.weir.RateLimitedException;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The blocks that this process keeps, and what they add to those of a store. */
final class OutboundBlocksTest extends OutboundFixture {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int MOST = 1_024;

    private final OutboundBlocks blocks = new OutboundBlocks();
    private final RateLimiter limiter = limiter("1/1s");

    private OutboundKey of(String key) {
        return new OutboundKey(limiter, key);
    }

    private OutboundBlocks.@Nullable Block block(String key, long now, long nanos) {
        return blocks.add(of(key), blocks.stamp(), now, nanos);
    }

    private long waitNanos(String key, long now) {
        return blocks.waitNanos(of(key), blocks.stamp(), now);
    }

    @Test
    void add_longerByLessThanASecond_isTheSameBlock() {
        block(KEY, 0, 30 * SECOND);

        assertThat(block(KEY, SECOND - 1, 30 * SECOND)).isNull();
        assertThat(block(KEY, SECOND, 30 * SECOND)).isNotNull();
        assertThat(waitNanos(KEY, SECOND)).isEqualTo(30 * SECOND);
    }

    @Test
    void add_shortBlock_isTheSameIfLongerByLessThanAnEighth() {
        block(KEY, 0, 800);

        assertThat(block(KEY, 99, 800)).isNull();
        assertThat(block(KEY, 100, 800)).isNotNull();
    }

    @Test
    void add_shorter_keepsTheLonger() {
        block(KEY, 0, 30 * SECOND);

        assertThat(block(KEY, SECOND, 5 * SECOND)).isNull();
        assertThat(waitNanos(KEY, SECOND)).isEqualTo(29 * SECOND);
    }

    @Test
    void add_afterTheEnd_isAnotherBlock() {
        block(KEY, 0, SECOND);

        assertThat(block(KEY, SECOND, 1)).isNotNull();
        assertThat(waitNanos(KEY, SECOND)).isEqualTo(1);
    }

    @Test
    void add_moreKeysThanFit_areForTheStoreOnly() {
        for (int i = 0; i < MOST; i++) {
            assertThat(block("key " + i, 0, (i + 1) * SECOND)).isNotNull();
        }

        assertThat(block("another", SECOND - 1, SECOND))
                .as("the store must get it")
                .isNotNull();
        assertThat(waitNanos("another", SECOND - 1)).isZero();
        assertThat(block("key 5", SECOND - 1, 60 * SECOND)).isNotNull();
        assertThat(waitNanos("key 5", SECOND)).as("known").isEqualTo(60 * SECOND - 1);
        assertThat(block("another", SECOND, SECOND)).isNotNull();
        assertThat(waitNanos("another", SECOND)).as("the first has ended").isEqualTo(SECOND);
        assertThat(waitNanos("key 1", SECOND)).isEqualTo(SECOND);
    }

    @Test
    void stored_blockThatWasReplaced_isNotWhatTheStoreHas() {
        OutboundBlocks.Block first = block(KEY, 0, 5 * SECOND);
        OutboundBlocks.Block second = block(KEY, 0, 60 * SECOND);

        blocks.stored(of(KEY), first);
        assertThat(waitNanos(KEY, 0)).isEqualTo(60 * SECOND);

        long before = blocks.stamp();
        blocks.stored(of(KEY), second);
        assertThat(waitNanos(KEY, 0)).isZero();
        assertThat(blocks.waitNanos(of(KEY), before, 0)).isPositive();
        assertThat(blocks.waitNanos(of(KEY), blocks.stamp(), 0)).isZero();
        assertThat(blocks.waitNanos(of(KEY), before, 60 * SECOND))
                .as("it has ended")
                .isZero();
    }

    /** A longer block that the store does not get is not taken for the one that it has. */
    @Test
    void retryAfter_longerOneIsNotStored_blocksThisProcess() {
        AtomicInteger blocks = new AtomicInteger();
        OutboundLimiter outbound = outbound(withoutBlocks("9/1m", () -> blocks.incrementAndGet() > 1))
                .build();
        OutboundPermit first = now(outbound);
        OutboundPermit second = now(outbound);

        answer(first, 429, Map.of("Retry-After", "5"));
        answer(second, 429, Map.of("Retry-After", "60"));
        expectWarning("could not be blocked in the store");

        time.advance(Duration.ofSeconds(6));
        CompletableFuture<OutboundPermit> later = outbound.acquireAsync(CALL);
        assertThat(later).isNotDone();
        time.advance(Duration.ofSeconds(54));
        assertThat(later).isCompleted();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1/1s", "fixed-window 1/1s", "token-bucket 1/1s", "leaky-bucket 1/1s", "gcra 1/1s"})
    void retryAfter_shorterThanMaxWait_isWaitedFor(String limit) {
        OutboundLimiter outbound = outbound(limiter(limit)).build();
        answer(now(outbound), 429, Map.of("Retry-After", "5"));

        CompletableFuture<OutboundPermit> call = outbound.acquireAsync(CALL);

        assertThat(call).isNotDone();
        time.advance(Duration.ofSeconds(5));
        assertThat(call).isCompleted();
    }

    @Test
    void retryAfter_duringTheLastTryAfterLatePermits_isTold() {
        long start = time.nanos();
        AtomicInteger answers = new AtomicInteger();
        OutboundPermit[] other = new OutboundPermit[1];
        String limit = "9/1h margin=50ms";
        RateLimiter limiter = answering(
                limit,
                "reserveAsync",
                () -> true,
                store -> store.reserveAsync(List.of(Request.of("psp", Limits.parse(limit), KEY, 1)), 0)
                        .whenComplete((granted, failure) -> {
                            switch (answers.incrementAndGet()) {
                                case 1 -> {}
                                case 2, 3 -> time.advance(Duration.ofMillis(100));
                                case 4 -> time.advance(Duration.ofMillis(9_999).minusNanos(time.nanos() - start));
                                default -> answer(other[0], 429, Map.of("Retry-After", "1800"));
                            }
                        }));
        OutboundLimiter outbound =
                OutboundLimiter.builder(limiter).maxWait(Duration.ofSeconds(10)).build();
        other[0] = now(outbound);
        CompletableFuture<OutboundPermit> call = outbound.acquireAsync(CALL);

        Await.until(() -> {
            time.advance(Duration.ofMillis(1));
            return call.isDone();
        });

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(call::get)
                .havingCause()
                .isInstanceOfSatisfying(RateLimitedException.class, denial -> {
                    assertThat(denial.decision().blocked()).isTrue();
                    assertThat(denial.decision().retryAfter())
                            .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
                });
        expectWarning("older than useWithin");
    }

    private RateLimiter withoutBlocks(String limit) {
        return withoutBlocks(limit, () -> true);
    }

    private RateLimiter withoutBlocks(String limit, BooleanSupplier fails) {
        StoreException failure = new StoreException("expected by a test");
        return answering(limit, "blockAsync", fails, store -> CompletableFuture.failedFuture(failure));
    }

    @Test
    void retryAfter_storeFails_blocksThisProcess() throws Exception {
        OutboundLimiter outbound = outbound(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
        expectWarning("could not be blocked in the store");

        CompletableFuture<OutboundPermit> async = outbound.acquireAsync(CALL);
        CompletableFuture<OutboundPermit> blocking = CompletableFuture.supplyAsync(() -> {
            try {
                return outbound.acquire(CALL);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
        Await.until(() -> time.waiting() == 2);
        time.advance(Duration.ofSeconds(29));
        assertThat(async).isNotDone();
        assertThat(blocking).isNotDone();
        time.advance(Duration.ofSeconds(1));

        assertThat(async).isCompleted();
        assertThat(blocking.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void retryAfter_storeFails_longerThanMaxWaitFailsAtOnce() {
        OutboundLimiter outbound =
                OutboundLimiter.builder(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
        expectWarning("could not be blocked in the store");

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> outbound.acquire(CALL))
                .satisfies(denial -> assertThat(denial.decision().blocked()).isTrue());
        assertThat(outbound.acquireAsync(CALL)).isCompletedExceptionally();
    }

    @Test
    void retryAfter_storeFails_cancelledWaitEnds() {
        OutboundLimiter outbound = outbound(withoutBlocks("9/1s")).build();
        answer(now(outbound), 429, Map.of("Retry-After", "30"));
        expectWarning("could not be blocked in the store");
        CompletableFuture<OutboundPermit> waiting = outbound.acquireAsync(CALL);

        waiting.cancel(false);

        assertThat(time.waiting()).isZero();
    }
}
