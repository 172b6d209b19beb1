package dev.weir;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The limits that one key must keep together: a request passes if all of them let it. Immutable and thread-safe. Make it
 * once and hand out the same object; a store recognises it by identity and does no work for limits that did not change.
 */
public final class Limits {
    /** The most limits that one key may have. */
    public static final int MAX = 16;

    private final List<Limit> list;
    private final long shortestWindowNanos;

    private Limits(List<Limit> list) {
        if (list.isEmpty() || list.size() > MAX) {
            throw new IllegalArgumentException("limits must be 1 to " + MAX + ", were " + list.size());
        }
        Set<String> names = new HashSet<>();
        for (Limit limit : list) {
            if (!limit.name().isEmpty() && !names.add(limit.name())) {
                throw new IllegalArgumentException("limit names must differ, '" + limit.name() + "' is there twice");
            }
        }
        this.list = List.copyOf(list);
        this.shortestWindowNanos =
                list.stream().mapToLong(Limit::windowNanos).min().orElseThrow();
    }

    /** These limits, in this order; a name may be there once. */
    public static Limits of(Limit... limits) {
        return of(Arrays.asList(limits));
    }

    /** These limits, in this order; a name may be there once. */
    public static Limits of(List<Limit> limits) {
        return new Limits(limits);
    }

    /** Limits from their text forms, see {@link Limit#parse}. */
    public static Limits parse(String... texts) {
        return of(Arrays.stream(texts).map(Limit::parse).toList());
    }

    /** The limits in their order; unmodifiable. */
    public List<Limit> list() {
        return list;
    }

    /** The name that ties state to the limit at this place: its own, or its position. */
    public String nameOf(int index) {
        String name = list.get(index).name();
        return name.isEmpty() ? Integer.toString(index) : name;
    }

    /** The shortest window among the limits, in nanoseconds. */
    public long shortestWindowNanos() {
        return shortestWindowNanos;
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
