package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import dev.weir.store.StoreReservation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

    /** A call takes 3 permits after the state was read, so 3 of the 88 that are reserved are refunded. */
    @Test
    void remaining_surplusIsRefunded_theRestIsHeld() {
        String limit = "100/10s";
        OutboundLimiter outbound = outbound(process(limit)).build();
        OutboundPermit first = now(outbound);
        OutboundPermit second = now(outbound);
        answer(first, 200, Map.of("RateLimit", "\"a\";r=10;t=2"));
        store.decide("psp", Limits.parse(limit), KEY, 3);
        receiveAnswers();

        answer(second, 200, Map.of("RateLimit", "\"a\";r=96;t=5")); // more than will remain: nothing is held for longer
        receiveAnswers();

        assertThat(remaining(limit)).isEqualTo(10);
        time.advance(Duration.ofSeconds(2));
        assertThat(remaining(limit)).isEqualTo(95);
    }

    /** A hold that is too large for a moment, until its surplus is released, must not make another process release its own. */
    @Test
    void remaining_learnedInAnyOrder_isHeldOnce() {
        String limit = "100/10s";
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<RemoteProcess> processes =
                    Stream.generate(RemoteProcess::new).limit(4).toList();
            processes.forEach(process -> process.learn("\"a\";r=60;t=5, \"b\";r=50;t=3"));

            List<RemoteProcess> waiting = processes;
            while (!waiting.isEmpty()) {
                waiting.get(random.nextInt(waiting.size())).calls.remove().run();
                waiting = processes.stream()
                        .filter(process -> !process.calls.isEmpty())
                        .toList();
            }

            assertThat(remaining(limit)).as("seed " + seed).isEqualTo(50);
            time.advance(Duration.ofSeconds(10));
            processes.forEach(process -> process.calls.forEach(Runnable::run));
            assertThat(remaining(limit)).isEqualTo(100);
        }
    }

    /** A process whose calls wait until the store receives them, in their order. */
    private final class RemoteProcess {
        final Queue<Runnable> calls = new ArrayDeque<>();
        private final RateLimiter limiter = RateLimiter.builder()
                .name("psp")
                .limit("100/10s")
                .store((Store) Proxy.newProxyInstance(
                        Store.class.getClassLoader(), new Class<?>[] {Store.class}, this::received))
                .executor(Runnable::run)
                .build();

        void learn(String value) {
            CompletableFuture<OutboundPermit> permit = outbound(limiter).build().acquireAsync(CALL);
            calls.remove().run();
            answer(permit.join(), 200, Map.of("RateLimit", value));
        }

        private @Nullable Object received(Object proxy, Method called, Object[] arguments)
                throws ReflectiveOperationException {
            return switch (called.getName()) {
                case "peekAsync" ->
                    later(() -> store.peekAsync((Request) arguments[0]).join());
                case "reserveAsync" -> later(() -> new Reserved(store.reserve(requests(arguments), 0), calls));
                default -> called.invoke(store, arguments);
            };
        }

        private CompletableFuture<Object> later(Supplier<Object> call) {
            CompletableFuture<Object> answer = new CompletableFuture<>();
            calls.add(() -> answer.complete(call.get()));
            return answer;
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Request> requests(Object[] arguments) {
        return (List<Request>) arguments[0];
    }

    private record Reserved(StoreReservation there, Queue<Runnable> calls) implements StoreReservation {
        @Override
        public Decision decision() {
            return there.decision();
        }

        @Override
        public void refund(long permits) {
            calls.add(() -> there.refund(permits));
        }

        @Override
        public void cancel(long refunded) {
            calls.add(() -> there.cancel(refunded));
        }
    }
}
