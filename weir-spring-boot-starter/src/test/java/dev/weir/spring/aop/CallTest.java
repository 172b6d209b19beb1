package dev.weir.spring.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ReflectiveMethodInvocation;
import org.springframework.security.core.context.SecurityContextHolder;

/** A call whose future is cancelled by its caller. */
class CallTest {
    private final RateLimiter limiter =
            RateLimiter.builder().name("login").limit("2/1m").build();
    private final Services.Async bean = new Services.Async();

    private Call call() throws NoSuchMethodException {
        return new Call(
                new LimitedMethod(List.of(), List.of(), Duration.ZERO),
                new ReflectiveMethodInvocation(
                        bean,
                        bean,
                        Services.Async.class.getMethod("future", String.class),
                        new Object[] {"ada"},
                        Services.Async.class,
                        List.of()) {});
    }

    @Test
    void proceedWhen_cancelledInTheInstantOfTheGrant_usesThePermits() throws Exception {
        CompletableFuture<Decision> due = new CompletableFuture<>();
        CompletableFuture<Object> returned = call().proceedWhen(due, List.of(limiter.request("ada", 1)));
        CompletableFuture<Void> unused = due.thenAccept(granted -> returned.cancel(true)); // the latest runs first

        due.complete(limiter.tryAcquire("ada"));

        assertThat(returned).isCancelled();
        assertThat(bean.calls()).isEqualTo(1);
    }

    @Test
    void proceedWhen_cancelledBeforeTheGrant_cancelsTheDecision() throws Exception {
        CompletableFuture<Decision> due = new CompletableFuture<>();

        call().proceedWhen(due, List.of(limiter.request("ada", 1))).cancel(true);

        assertThat(due).isCancelled();
        assertThat(bean.calls()).isZero();
    }

    @Test
    void proceedWhen_userCannotBeLoaded_cancelsTheDecisionThatIsAwaited() throws Exception {
        CompletableFuture<Decision> due = new CompletableFuture<>();
        CompletableFuture<Decision> granted = CompletableFuture.completedFuture(limiter.tryAcquire("ada"));
        SecurityContextHolder.setDeferredContext(() -> {
            throw new IllegalStateException("expected by a test");
        });
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> call().proceedWhen(due, List.of(limiter.request("ada", 1))));
            assertThat(due).isCancelled();
            assertThat(bean.calls()).isZero();

            assertThat(call().proceedWhen(granted, List.of(limiter.request("ada", 1))))
                    .as("no other thread proceeds")
                    .isCompleted();
            assertThat(bean.calls()).isEqualTo(1);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }
}
