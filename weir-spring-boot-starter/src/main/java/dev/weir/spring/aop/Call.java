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
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A call of a limited method. */
record Call(LimitedMethod limited, ProxyMethodInvocation invocation) {

    /** Returns what the call requests, from its arguments. */
    List<Request> requests() {
        return limited.requests(invocation.getThis(), invocation.getArguments());
    }

    /** Acquires the permits, blocking if it must wait, and proceeds. */
    @Nullable
    Object proceed() throws Throwable {
        List<Request> requests = requests();
        Decision decision;
        try {
            decision = RateLimiter.tryAcquireAll(limited.maxWait(), requests.toArray(Request[]::new));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a permit");
        }
        LimitedMethod.check(decision, requests);
        return invocation.proceed();
    }

    /** Proceeds once the permits are granted, without blocking. Cancelling the future before that releases them. */
    CompletableFuture<Object> proceedAsync() {
        CompletableFuture<Decision> due;
        List<Request> requests;
        try {
            requests = requests();
            due = acquireAsync(requests);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        CompletableFuture<Object> result = due.thenCompose(decision -> {
            LimitedMethod.check(decision, requests);
            return proceedToStage();
        });
        CompletableFuture<Object> unused = result.whenComplete((value, failure) -> due.cancel(false));
        return result;
    }

    /** Acquires permits without blocking. */
    CompletableFuture<Decision> acquireAsync(List<Request> requests) {
        return RateLimiter.tryAcquireAllAsync(limited.maxWait(), requests.toArray(Request[]::new));
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
