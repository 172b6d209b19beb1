package dev.weir.stress.races;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jspecify.annotations.Nullable;

/** Lets Lincheck try the interleavings of one model: those of its scenarios, and of random ones, the same in each run. */
final class ModelRun {
    /** Turns of a loop after which Lincheck assumes that it never ends; waiting for a lock takes some. */
    private static final int LOOP_BOUND = 300;

    /** A map that is linearizable, as documented. */
    private static final String MAP = "java.util.concurrent.ConcurrentHashMap";

    /** Checks of arguments, which change nothing. Lincheck cannot look into the pattern that they match with. */
    private static final String CHECKS = "dev.weir.Checks";

    private ModelRun() {}

    /** Returns what was seen that must not be; null if nothing. */
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
                .addGuarantee(forClasses(ModelRun::isPlain).allMethods().ignore())
                .addGuarantee(forClasses(CHECKS::equals).allMethods().ignore())
                .addGuarantee(forClasses(MAP::equals).allMethods().treatAsAtomic())
                .addGuarantee(forClasses(ModelRun::isStore).methods("spin").ignore());
        options.loopBound(LOOP_BOUND);
        Scenarios.of(model).forEach(options::addCustomScenario);
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
}
