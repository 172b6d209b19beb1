package dev.weir.stress.races;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Two operations that two threads perform at the same time, and the allowed outcomes: the results of both and that of a read
 * after both, such as {@code "true, false, 0"}.
 */
public final class Race {
    /** Names the race that jcstress runs in this JVM. */
    public static final String PROPERTY = "stress.race";

    /** What the threads do. */
    Function<Stage, Object> one = stage -> "";

    Function<Stage, Object> two = one;

    private final String name;
    private final Supplier<Stage> stages;
    private Function<Stage, Object> start = one;
    private Function<Stage, Object> after = Stage::remaining;
    private Set<String> allowed = Set.of();

    /** Begins the description of a race on these stages. */
    Race(String name, Supplier<Stage> stages) {
        this.name = name;
        this.stages = stages;
    }

    /** Begins the description of a race with one limit; the window is in nanoseconds. */
    static Race race(String name, long permits, long window) {
        return new Race(name, () -> new Stage(Room.ENOUGH, false, Stage.limit(permits, window)));
    }

    Race start(Function<Stage, Object> given) {
        start = given;
        return this;
    }

    Race threads(Function<Stage, Object> first, Function<Stage, Object> second) {
        one = first;
        two = second;
        return this;
    }

    /** One thread performs an operation and then sets a flag; the other reads the flag first, and reports it with its result. */
    Race flaggingThread(Function<Stage, Object> operation, Function<Stage, Object> other) {
        return threads(
                stage -> {
                    Object result = operation.apply(stage);
                    stage.done = true;
                    return result;
                },
                stage -> stage.done + " " + other.apply(stage));
    }

    /** Looks at something other than the permits that remain. */
    Race after(Function<Stage, Object> given) {
        after = given;
        return this;
    }

    Race expect(String... results) {
        allowed = Set.of(results);
        return this;
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** Prepares what the threads share. */
    Stage stage() {
        Stage stage = stages.get();
        Object unused = start.apply(stage);
        return stage;
    }

    /** Returns all results, after both threads. */
    String result(Object ofOne, Object ofTwo, Stage stage) {
        return ofOne + ", " + ofTwo + ", " + after.apply(stage);
    }

    boolean allows(String result) {
        return allowed.contains(result);
    }

    /** Performs both operations one after the other, and returns the results that are not allowed. */
    List<String> unexpectedInSequence() {
        Stage forth = stage();
        String oneFirst = result(one.apply(forth), two.apply(forth), forth);
        Stage back = stage();
        Object second = two.apply(back);
        String twoFirst = result(one.apply(back), second, back);
        return List.of(oneFirst, twoFirst).stream()
                .filter(result -> !allows(result))
                .toList();
    }
}
