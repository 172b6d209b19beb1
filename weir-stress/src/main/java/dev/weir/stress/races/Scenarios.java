package dev.weir.stress.races;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/**
 * The models, and the scenarios that each names in its field {@code SCENARIOS}: the operations before, of the first thread, of the
 * second thread, and after, such as {@code "advance 3 | acquire 1; acquire 1 | acquire 2 | acquire 1"}.
 *
 * <p>A model is a Lincheck test: operations that threads may interleave in any way. Its nested class {@code Specification} has the
 * same operations, one after the other, and shares no code with Weir. Keys have a state from the start: Lincheck takes a state that
 * is created later, and put into a map, for one that no other thread sees.
 */
public final class Scenarios {
    private Scenarios() {}

    /** The classes of all models. */
    public static List<String> models() {
        return List.of(
                AcquireModel.class.getName(),
                RefundModel.class.getName(),
                RemovalModel.class.getName(),
                TurnsModel.class.getName());
    }

    /** Returns the scenarios of a model. */
    public static List<ExecutionScenario> of(Class<?> model) throws ReflectiveOperationException {
        List<ExecutionScenario> scenarios = new ArrayList<>();
        for (Object text : (List<?>) model.getDeclaredField("SCENARIOS").get(null)) {
            String[] parts = text.toString().split("\\|", -1);
            List<List<Actor>> threads = List.of(actors(model, parts[1]), actors(model, parts[2]));
            scenarios.add(new ExecutionScenario(actors(model, parts[0]), threads, actors(model, parts[3]), null));
        }
        return scenarios;
    }

    private static List<Actor> actors(Class<?> model, String text) {
        List<Actor> actors = new ArrayList<>(); // Lincheck changes it
        for (String call : text.split(";", -1)) {
            if (!call.isBlank()) {
                actors.add(actor(model, call.strip().split(" ", -1)));
            }
        }
        return actors;
    }

    private static Actor actor(Class<?> model, String... words) {
        Method operation = Arrays.stream(model.getMethods())
                .filter(method -> method.getName().equals(words[0]) && method.getParameterCount() == words.length - 1)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation " + String.join(" ", words)));
        List<Object> arguments =
                Arrays.stream(words).skip(1).<Object>map(Long::valueOf).toList();
        return new Actor(operation, arguments);
    }
}
