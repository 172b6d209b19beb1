package dev.weir.spring.internal;

import io.micrometer.observation.Observation;
import java.util.function.Supplier;
import reactor.util.context.ContextView;

/** The observation of a subscriber, which is in its context. Listeners of limiters look for it at the thread. Loaded only with Reactor. */
final class CurrentObservation {
    private static final String KEY = "micrometer.observation"; // as Spring and Micrometer have it

    private CurrentObservation() {}

    /** Returns what a supplier does, during which the subscriber's observation, if it has one, is that of the thread. */
    static <T> T during(ContextView subscriber, Supplier<T> action) {
        Object observation = subscriber.getOrDefault(KEY, null);
        return observation == null ? action.get() : Scoped.get(observation, action);
    }

    /** Apart, since an application without Micrometer has no such type. */
    private static final class Scoped {
        static <T> T get(Object observation, Supplier<T> action) {
            return ((Observation) observation).scoped(action);
        }
    }
}
