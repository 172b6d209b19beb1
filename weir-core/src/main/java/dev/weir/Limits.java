package dev.weir;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The limits of one key, all of which must allow a request. Immutable and thread-safe. Create them once and reuse the object:
 * a store recognizes it by identity and does no work for limits that did not change. Other numbers of limits than 1 to 16, and
 * equal names, are refused with {@link IllegalArgumentException}.
 */
public final class Limits {
    private static final int MAX_LIMITS = 16;

    private final List<Limit> list;

    private Limits(List<Limit> list) {
        Checks.range("number of limits", list.size(), 1, MAX_LIMITS);
        Set<String> names = new HashSet<>();
        for (Limit limit : list) {
            Objects.requireNonNull(limit, "limit must not be null");
            if (!limit.name().isEmpty() && !names.add(limit.name())) {
                throw new IllegalArgumentException("names of limits must differ, was twice '" + limit.name() + "'");
            }
        }
        this.list = List.copyOf(list);
    }

    /**
     * {@return limits in the given order}
     * @param limits 1 to 16 limits; their names, where they have one, must differ
     */
    public static Limits of(Limit... limits) {
        return of(Arrays.asList(Objects.requireNonNull(limits, "limits must not be null")));
    }

    /**
     * {@return limits in the given order}
     * @param limits 1 to 16 limits; their names, where they have one, must differ
     */
    public static Limits of(List<Limit> limits) {
        return new Limits(Objects.requireNonNull(limits, "limits must not be null"));
    }

    /**
     * {@return limits from their texts, in the given order}
     * @param texts 1 to 16 texts, see {@link Limit#parse}
     */
    public static Limits parse(String... texts) {
        return of(Arrays.stream(Objects.requireNonNull(texts, "texts must not be null"))
                .map(Limit::parse)
                .toList());
    }

    /** {@return the limits in their order; unmodifiable} */
    public List<Limit> list() {
        return list;
    }

    /**
     * {@return the name under which the state of a limit is carried over when limits change: its name, or its position if it has
     * none}
     * @param index the position of the limit, from 0
     */
    public String nameOf(int index) {
        String name = list.get(index).name();
        return name.isEmpty() ? Integer.toString(index) : name;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Limits limits && limits.list.equals(list));
    }

    @Override
    public int hashCode() {
        return list.hashCode();
    }

    @Override
    public String toString() {
        return list.toString();
    }
}
