package dev.weir.stress.run;

import dev.weir.stress.models.Scenario;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;

/** Makes of a model's scenarios what Lincheck runs. */
final class ScenarioReader {
    private final Class<?> model;

    ScenarioReader(Class<?> model) {
        this.model = model;
    }

    List<ExecutionScenario> all() {
        return Arrays.stream(model.getAnnotationsByType(Scenario.class))
                .map(one -> new ExecutionScenario(
                        actors(one.before()), List.of(actors(one.one()), actors(one.two())), actors(one.after()), null))
                .toList();
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
        List<Object> arguments = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            boolean wide = operation.getParameterTypes()[i - 1] == long.class;
            arguments.add(wide ? (Object) Long.valueOf(words[i]) : (Object) Integer.valueOf(words[i]));
        }
        return new Actor(operation, arguments);
    }
}
