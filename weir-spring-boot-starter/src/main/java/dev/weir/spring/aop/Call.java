package dev.weir.spring.aop;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Request;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.security.concurrent.DelegatingSecurityContextExecutor;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.ClassUtils;

/** A call of a limited method. */
record Call(LimitedMethod limited, ProxyMethodInvocation invocation) {
    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.concurrent.DelegatingSecurityContextExecutor", Call.class.getClassLoader());

    /** Takes the user along to the thread that proceeds. Loaded only if Spring Security is there. */
    private static final class User {
        /** Returns an executor that runs tasks on the thread that passes them, as the user of the current thread. */
        static Executor executor() {
            SecurityContext user = SecurityContextHolder.createEmptyContext(); // a copy; that of this thread may change
            user.setAuthentication(SecurityContextHolder.getContext().getAuthentication());
            return new DelegatingSecurityContextExecutor(Runnable::run, user);
        }
    }

    /** Returns what the call requests, from its arguments; empty if all of its limiters are shadows. */
    List<Request> requests() {
        return limited.requests(invocation.getThis(), invocation.getArguments());
    }

    /** Acquires the permits, blocking if it must wait, and proceeds. */
    @Nullable
    Object proceed() throws Throwable {
        List<Request> requests = requests();
        Decision decision;
        try {
            decision = requests.isEmpty() ? null : RateLimiter.tryAcquireAll(limited.maxWait(), array(requests));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a permit");
        }
        decided(decision, requests);
        return invocation.proceed();
    }

    /** Proceeds once the permits are granted, without blocking. Cancelling the future before that releases them. */
    CompletableFuture<Object> proceedAsync() {
        try {
            List<Request> requests = requests();
            return proceedWhen(acquireAsync(requests), requests);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Acquires permits without blocking. The future completes with null if there are none to acquire. */
    private CompletableFuture<@Nullable Decision> acquireAsync(List<Request> requests) {
        return requests.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : RateLimiter.tryAcquireAllAsync(limited.maxWait(), array(requests));
    }

    /** Proceeds once the decision is there. Cancelling the future cancels the decision, or else what the method returned. */
    CompletableFuture<Object> proceedWhen(CompletableFuture<@Nullable Decision> due, List<Request> requests) {
        Executor executor = executor(due);
        // A stage of its own, which callers cannot cancel: permits that are granted are used.
        CompletableFuture<CompletionStage<Object>> started = due.thenApplyAsync(
                decision -> {
                    decided(decision, requests);
                    return proceedToStage();
                },
                executor);
        CompletableFuture<Object> result = started.thenCompose(stage -> stage);
        CompletableFuture<Object> unused = result.whenComplete((value, failure) -> {
            due.cancel(false);
            if (result.isCancelled()) {
                CompletableFuture<Void> ignored =
                        started.thenAccept(stage -> stage.toCompletableFuture().cancel(false));
            }
        });
        return result;
    }

    /** Returns what proceeds: if the call waits, another thread may, so it is told the user. */
    private static Executor executor(CompletableFuture<?> due) {
        try {
            return SECURITY && !due.isDone() ? User.executor() : Runnable::run;
        } catch (RuntimeException | Error failure) {
            due.cancel(false);
            throw failure;
        }
    }

    /**
     * Lets the shadows decide if the call is allowed.
     *
     * @throws dev.weir.RateLimitedException if it is not
     */
    void decided(@Nullable Decision decision, List<Request> requests) {
        if (decision != null) {
            LimitedMethod.check(decision, requests);
        }
        limited.decideShadows(invocation.getThis(), invocation.getArguments());
    }

    private static Request[] array(List<Request> requests) {
        return requests.toArray(Request[]::new);
    }

    @SuppressWarnings("unchecked") // the return type was checked when the bean was created
    private CompletionStage<Object> proceedToStage() {
        try {
            Object stage = invocation.proceed();
            return (CompletionStage<Object>)
                    Objects.requireNonNull(stage, "a limited method must not return a null stage");
        } catch (RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable checked) {
            throw new CompletionException(checked);
        }
    }
}
