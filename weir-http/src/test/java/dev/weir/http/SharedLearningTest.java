package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What several processes on one store learn from responses at the same time. */
final class SharedLearningTest extends OutboundFixture {
    private final MemoryStore store = MemoryStore.builder().timeSource(time).build();
    private final Queue<Runnable> answers = new ArrayDeque<>(); // of peeks, not yet received

    private RateLimiter process(String limit) {
        Store remote = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, called, arguments) -> {
                    if (!called.getName().equals("peekAsync")) {
                        return called.invoke(store, arguments);
                    }
                    CompletableFuture<Object> later = new CompletableFuture<>();
                    var now = store.peekAsync((Request) arguments[0]).join();
                    answers.add(() -> later.complete(now));
                    return later;
                });
        return RateLimiter.builder()
                .name("psp")
                .limit(limit)
                .store(remote)
                .executor(Runnable::run)
                .build();
    }

    private long remaining(String limit) {
        RateLimiter limiter =
                RateLimiter.builder().name("psp").limit(limit).store(store).build();
        return limiter.peek(KEY).remaining();
    }

    private void receiveAnswers() {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
    }

    @Test
    void remaining_learnedBySeveralProcessesAtOnce_isHeldOnce() {
        String limit = "100/10s";
        OutboundPermit[] permits = new OutboundPermit[4];
        for (int i = 0; i < permits.length; i++) {
            permits[i] = now(outbound(process(limit)).build());
        }
        for (OutboundPermit permit : permits) {
            answer(permit, 200, Map.of("RateLimit", "\"a\";r=60;t=5, \"b\";r=50;t=3"));
        }

        receiveAnswers();

        assertThat(remaining(limit)).isEqualTo(50);
        time.advance(Duration.ofSeconds(3));
        assertThat(remaining(limit)).isEqualTo(60);
        time.advance(Duration.ofSeconds(2));
        assertThat(remaining(limit)).isEqualTo(96);
    }

    @Test
    void remaining_oneProcessKnowsMoreThanAnother_holdsTheRest() {
        String limit = "100/10s";
        OutboundPermit first = now(outbound(process(limit)).build());
        OutboundPermit second = now(outbound(process(limit)).build());
        answer(first, 200, Map.of("RateLimit", "\"a\";r=60;t=3"));
        answer(second, 200, Map.of("RateLimit", "\"a\";r=50;t=3"));

        receiveAnswers();

        assertThat(remaining(limit)).isEqualTo(50);
    }
}
