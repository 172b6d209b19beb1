package dev.weir.spring.aop;

import dev.weir.Request;
import dev.weir.spring.internal.Grants;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import reactor.core.publisher.Mono;

/** Calls of methods with a reactive result. Loaded only if Reactor is there. */
final class ReactiveCall {
    private ReactiveCall() {}

    /** Returns whether a method that returns a type can be limited: the type is not reactive, or {@link #of} returns it. */
    static boolean canReturn(Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return adapter == null || type.isAssignableFrom(adapter.getReactiveType());
    }

    /** Returns a publisher, each subscription of which is a call; null if the type is not reactive. */
    static @Nullable Object of(Call call, Class<?> type) {
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        if (adapter == null) {
            return null;
        }
        Mono<Call> allowed = Mono.defer(() -> allowed(call));
        Publisher<?> limited = adapter.isMultiValue()
                ? allowed.flatMapMany(granted -> proceed(granted, adapter))
                : allowed.flatMap(granted -> Mono.from(proceed(granted, adapter)));
        return adapter.fromPublisher(limited);
    }

    /** Returns the call once its permits are granted. */
    private static Mono<Call> allowed(Call call) {
        List<Request> requests = call.requests();
        if (requests.isEmpty()) {
            call.decided(null, requests);
            return Mono.just(call);
        }
        return Grants.whenDue(call.limited().maxWait(), requests).map(decision -> {
            call.decided(decision, requests);
            return call;
        });
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
