package dev.weir.replay;

import org.jspecify.annotations.Nullable;

/**
 * A field to find in a JSON object, by a name that may contain dots: {@code a.b} is the field {@code a.b} or the field {@code b}
 * of the object {@code a}. The one with fewer levels counts. Reused from line to line.
 */
final class JsonTarget {
    private final String path;
    private @Nullable String value;
    private int depth;
    private boolean twice;

    JsonTarget(String path) {
        this.path = path;
    }

    void clear() {
        value = null;
        depth = Integer.MAX_VALUE;
        twice = false;
    }

    boolean is(String name) {
        return path.equals(name);
    }

    boolean isWithin(String object) {
        return path.length() > object.length() && path.startsWith(object) && path.charAt(object.length()) == '.';
    }

    /** Takes a value that was found at a depth; null if the field is there without a value. */
    void found(@Nullable String text, int at) {
        twice = at == depth || (twice && at > depth);
        if (at < depth) {
            depth = at;
            value = text;
        }
    }

    /** Returns the value; null if there is none. */
    @Nullable
    String value() {
        return value;
    }

    String path() {
        return path;
    }

    /** Whether the field is there twice, so that its value is not certain. */
    boolean isTwice() {
        return twice;
    }
}
