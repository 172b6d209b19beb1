package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tries a property on random traces, and shrinks one that breaks it by leaving out steps. A failure names the seed, so that
 * the case can be had again, and the steps that are enough to show it.
 */
public final class TraceProperty {
    private TraceProperty() {}

    /**
     * Runs {@code property} on {@code cases} traces of up to {@code maxSteps} steps each.
     *
     * @param seed of the first case; the others follow from it
     * @param step makes one random step
     * @param property throws an {@link AssertionError} or a {@link RuntimeException} if the trace breaks it; called often,
     *     it starts from nothing each time
     * @throws AssertionError with seed and shrunk trace, caused by what the property threw
     */
    public static <S> void check(
            long seed, int cases, int maxSteps, Function<SplittableRandom, S> step, Consumer<List<S>> property) {
        for (long s = seed; s < seed + cases; s++) {
            SplittableRandom random = new SplittableRandom(s);
            int length = 1 + random.nextInt(maxSteps);
            List<S> trace = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                trace.add(step.apply(random));
            }
            if (failure(trace, property) != null) {
                List<S> least = shrunk(trace, property);
                Throwable cause = failure(least, property);
                String told = cause == null ? "passes when run again" : String.valueOf(cause.getMessage());
                throw new AssertionError(
                        "seed " + s + ", " + least.size() + " of " + trace.size() + " steps: " + least + "\n" + told,
                        cause);
            }
        }
    }

    private static <S> List<S> shrunk(List<S> failing, Consumer<List<S>> property) {
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
