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
    private final Class<?> model;

    private Scenarios(Class<?> model) {
        this.model = model;
    }

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
            scenarios.add(new Scenarios(model).scenario(text.toString().split("\\|", -1)));
        }
        return scenarios;
    }

    private ExecutionScenario scenario(String... parts) {
        return new ExecutionScenario(
                actors(parts[0]), List.of(actors(parts[1]), actors(parts[2])), actors(parts[3]), null);
    }

    private List<Actor> actors(String text) {
        List<Actor> actors = new ArrayList<>(); // Lincheck changes it
        for (String call : text.split(";", -1)) {
            if (!call.isBlank()) {
                actors.add(actor(call.strip().split(" ", -1)));
            }
        }
        return actors;
    }

    private Actor actor(String... words) {
        Method operation = Arrays.stream(model.getMethods())
                .filter(method -> method.getName().equals(words[0]) && method.getParameterCount() == words.length - 1)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation " + String.join(" ", words)));
        List<Object> arguments =
                Arrays.stream(words).skip(1).<Object>map(Long::valueOf).toList();
        return new Actor(operation, arguments);
    }
}
