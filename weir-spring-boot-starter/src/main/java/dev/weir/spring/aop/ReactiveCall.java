package dev.weir.spring.aop;

import dev.weir.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of methods with a reactive result. Loaded only if Reactor is there. */
final class ReactiveCall {
    private ReactiveCall() {}

    /** Returns a publisher, each subscription of which is a call; null if the type is not reactive. */
    static @Nullable Object of(Call call, Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter == null) {
            return null;
        }
        Mono<Void> granted = Mono.defer(() -> {
            List<Request> requests = call.requests();
            return Mono.fromFuture(() -> call.acquireAsync(requests))
                    .doOnSuccess(decision -> call.decided(decision, requests))
                    .then();
        });
        Publisher<?> limited = adapter.isMultiValue()
                ? granted.thenMany(Flux.defer(() -> proceed(call, adapter)))
                : granted.then(Mono.defer(() -> Mono.from(proceed(call, adapter))));
        return adapter.fromPublisher(limited);
    }

    /** Proceeds with a copy of the invocation, which can proceed only once. */
    private static Publisher<?> proceed(Call call, ReactiveAdapter adapter) {
        try {
            return adapter.toPublisher(call.invocation().invocableClone().proceed());
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }
}
