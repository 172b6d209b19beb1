package dev.weir.stress;

import java.util.List;

/**
 * A copy of a class of Weir with one thing broken.
 *
 * @param name what is broken
 * @param source the file, below weir-core's sources
 * @param original lines that are there exactly once, however they are indented
 * @param replacement what stands there instead
 * @param caughtBy the races and models that must notice, each by itself
 */
record Mutant(String name, String source, String original, String replacement, List<Class<?>> caughtBy) {
    @Override
    public String toString() {
        return name;
    }
}
