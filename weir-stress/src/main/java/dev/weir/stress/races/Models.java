package dev.weir.stress.races;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jspecify.annotations.Nullable;

/**
 * The models, of which Lincheck tries the interleavings: those of random scenarios, the same in each run, and of the scenarios that
 * each model names in its field {@code SCENARIOS}: the operations before, of the first thread, of the second thread, and after, such
 * as {@code "advance 3 | acquire 1; acquire 1 | acquire 2 | acquire 1"}.
 *
 * <p>A model is a Lincheck test: operations that threads may interleave in any way. Its nested class {@code Specification} has the
 * same operations, one after the other, and shares no code with Weir. Keys have a state from the start: Lincheck takes a state that
 * is created later, and put into a map, for one that no other thread sees.
 */
public final class Models {
    /** Turns of a loop after which Lincheck assumes that it never ends; waiting for a lock takes some. */
    private static final int LOOP_BOUND = 300;

    /** A map that is linearizable, as documented. */
    private static final String MAP = "java.util.concurrent.ConcurrentHashMap";

    /** Checks of arguments, which change nothing. Lincheck cannot look into the pattern that they match with. */
    private static final String CHECKS = "dev.weir.Checks";

    private Models() {}

    /** The classes of all models. */
    public static List<String> all() {
        return Stream.of(AcquireModel.class, RefundModel.class, RemovalModel.class, ReservationModel.class)
                .map(Class::getName)
                .toList();
    }

    /** Runs a model. Returns what was seen that must not be; null if nothing. */
    static @Nullable String run(String name, Effort effort) throws ReflectiveOperationException {
        Class<?> model = Class.forName(name);
        ModelCheckingOptions options = new ModelCheckingOptions()
                .iterations(effort.scenarios())
                .invocationsPerIteration(effort.interleavings())
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(2)
                .actorsAfter(2)
                .minimizeFailedScenario(false)
                .sequentialSpecification(Class.forName(name + "$Specification"))
                .addGuarantee(forClasses(Models::isPlain).allMethods().ignore())
                .addGuarantee(forClasses(CHECKS::equals).allMethods().ignore())
                .addGuarantee(forClasses(MAP::equals).allMethods().treatAsAtomic())
                .addGuarantee(forClasses(Models::isStore).methods("spin").ignore());
        options.loopBound(LOOP_BOUND);
        for (Object scenario : (List<?>) model.getDeclaredField("SCENARIOS").get(null)) {
            options.addCustomScenario(scenario(model, scenario.toString().split("\\|", -1)));
        }
        try {
            options.check(model);
        } catch (LincheckAssertionError broken) {
            return String.valueOf(broken.getMessage());
        }
        return null;
    }

    /** Java's plain collections and streams, which no thread shares; but not functions, which may call anything. */
    private static boolean isPlain(String className) {
        return className.startsWith("java.util.")
                && !className.startsWith("java.util.concurrent.")
                && !className.startsWith("java.util.function.");
    }

    /** The locks of the store pass the time in methods called {@code spin}, which Lincheck would take for a thread that hangs. */
    private static boolean isStore(String className) {
        return className.startsWith("dev.weir.store.");
    }

    private static ExecutionScenario scenario(Class<?> model, String... parts) {
        List<List<Actor>> threads = List.of(actors(model, parts[1]), actors(model, parts[2]));
        return new ExecutionScenario(actors(model, parts[0]), threads, actors(model, parts[3]), null);
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
