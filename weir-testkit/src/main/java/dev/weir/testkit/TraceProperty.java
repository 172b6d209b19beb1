package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Property tests on random traces. A trace that breaks the property is shrunk by removing steps. A failure reports the seed, to
 * repeat the case, and the remaining steps. With {@code -Dweir.shrink=false} it reports the whole trace, which takes no time.
 */
public final class TraceProperty {
    private static final boolean SHRINKS = !"false".equals(System.getProperty("weir.shrink"));

    private TraceProperty() {}

    /**
     * Checks a property on random traces.
     *
     * @param <S> the type of a step
     * @param seed the seed of the first case; each further case has the next seed
     * @param cases the number of traces, at least 1
     * @param maxSteps the most steps of a trace, at least 1
     * @param step creates a random step
     * @param property throws an {@link AssertionError} or a {@link RuntimeException} if a trace breaks it; called many times,
     *     with fresh state each time
     * @throws AssertionError if a trace breaks the property, with its seed and the shrunk trace
     * @throws IllegalArgumentException if there is no case or no step
     */
    public static <S> void check(
            long seed, int cases, int maxSteps, Function<SplittableRandom, S> step, Consumer<List<S>> property) {
        if (cases < 1 || maxSteps < 1) {
            throw new IllegalArgumentException(
                    "cases and maxSteps must be at least 1, were " + cases + " and " + maxSteps);
        }
        for (int i = 0; i < cases; i++) {
            long s = seed + i;
            SplittableRandom random = new SplittableRandom(s);
            int length = 1 + random.nextInt(maxSteps);
            List<S> trace = new ArrayList<>();
            while (trace.size() < length) {
                trace.add(step.apply(random));
            }
            if (failure(trace, property) != null) {
                List<S> least = shrunk(trace, property);
                Throwable cause = failure(least, property);
                String message = cause == null ? "passes when run again" : String.valueOf(cause.getMessage());
                throw new AssertionError(
                        "seed " + s + ", " + least.size() + " of " + trace.size() + " steps: " + least + "\n" + message,
                        cause);
            }
        }
    }

    private static <S> List<S> shrunk(List<S> failing, Consumer<List<S>> property) {
        if (!SHRINKS) {
            return failing;
        }
        List<S> least = failing;
        for (int size = Math.max(1, least.size() / 2); size >= 1; size /= 2) {
            for (int from = 0; from < least.size(); ) {
                List<S> without = new ArrayList<>(least.subList(0, from));
                without.addAll(least.subList(Math.min(least.size(), from + size), least.size()));
                if (!without.isEmpty() && failure(without, property) != null) {
                    least = without;
                } else {
                    from += size;
                }
            }
        }
        return least;
    }

    private static <S> @Nullable Throwable failure(List<S> trace, Consumer<List<S>> property) {
        try {
            property.accept(trace);
            return null;
        } catch (AssertionError | RuntimeException broken) {
            return broken;
        }
    }
}
