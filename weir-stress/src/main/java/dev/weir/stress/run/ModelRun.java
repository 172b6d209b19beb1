package dev.weir.stress.run;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.weir.stress.run.Finding.Outcome;
import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Has Lincheck try the interleavings of one model: those of its scenarios, and of so many random ones, the same in each run. */
final class ModelRun {
    /** Turns round and round to pass the time, which Lincheck would take for a thread that hangs. */
    private static final String LOCK = "dev.weir.store.LockedMemory";

    /** Turns of a loop, after which Lincheck says that nobody will end it; who waits for a lock needs some. */
    private static final int LOOP_BOUND = 300;

    /** A map that is linearizable, as its documentation says. */
    private static final String MAP = "java.util.concurrent.ConcurrentHashMap";

    /** Checks of arguments, which change nothing. Lincheck cannot look into the pattern that they match with. */
    private static final String CHECKS = "dev.weir.Checks";

    private ModelRun() {}

    static boolean isModel(String test) {
        return test.endsWith("Model");
    }

    static Finding run(String test, Effort effort) throws ReflectiveOperationException {
        Class<?> model = Class.forName(test);
        Class<?> specification = Class.forName(test + "$Specification");
        stopTheTimer();
        try {
            ModelCheckingOptions options = new ModelCheckingOptions()
                    .iterations(effort.scenarios())
                    .invocationsPerIteration(effort.interleavings())
                    .threads(2)
                    .actorsBefore(1)
                    .actorsPerThread(2)
                    .actorsAfter(2)
                    .minimizeFailedScenario(false)
                    .sequentialSpecification(specification)
                    .addGuarantee(forClasses(ModelRun::isPlain).allMethods().ignore())
                    .addGuarantee(forClasses(CHECKS::equals).allMethods().ignore())
                    .addGuarantee(forClasses(MAP::equals).allMethods().treatAsAtomic())
                    .addGuarantee(forClasses(LOCK::equals).methods("spin").ignore())
                    .loopBound(LOOP_BOUND);
            new ScenarioReader(model).all().forEach(options::addCustomScenario);
            options.check(model);
        } catch (LincheckAssertionError broken) {
            return new Finding(test, Outcome.BROKEN, String.valueOf(broken.getMessage()));
        }
        return new Finding(test, Outcome.HELD, "");
    }

    /** Java's plain collections and streams, which no thread shares; but not functions, which may call anything. */
    private static boolean isPlain(String className) {
        return className.startsWith("java.util.")
                && !className.startsWith("java.util.concurrent.")
                && !className.startsWith("java.util.function.");
    }

    /**
     * Says that the timer of all stores goes already, so that it never does: its thread would come by in the middle of an
     * interleaving, and Lincheck would not know of it.
     */
    private static void stopTheTimer() throws ReflectiveOperationException {
        Field ticking = Class.forName("dev.weir.store.Sweeper").getDeclaredField("TICKING");
        ticking.setAccessible(true);
        ((AtomicBoolean) ticking.get(null)).set(true);
    }
}
