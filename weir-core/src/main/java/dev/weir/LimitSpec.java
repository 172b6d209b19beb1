package dev.weir;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The parts of a limit: its algorithm, permits, window, options and name, and the text that they make. An option is
 * stored as it was given until a kind of limit declares it, which checks it or fills in its default. Immutable.
 */
class LimitSpec {
    static final String UNLIMITED = "unlimited";

    private final String algorithm;
    private final String name;
    private final long permits;
    private final long windowNanos;
    private final Map<String, Option> options; // in their order in the text
    private final String burst; // the option that bounds a request; empty if that is the number of permits

    /** The value of an option and its text, which is empty for the default. */
    private record Option(Object value, String text) {}

    LimitSpec(String algorithm, long permits, long windowNanos) {
        this(algorithm, "", permits, windowNanos, Map.of(), "");
        Checks.permits(permits);
        Checks.duration("window", windowNanos, 1, Long.MAX_VALUE);
    }

    /** Returns the parts of the limit that never denies; no rate depends on its window. */
    static LimitSpec withoutRate() {
        return new LimitSpec(UNLIMITED, Long.MAX_VALUE, 1_000_000_000);
    }

    LimitSpec(LimitSpec spec) {
        this(spec.algorithm, spec.name, spec.permits, spec.windowNanos, spec.options, spec.burst);
    }

    private LimitSpec(
            String algorithm, String name, long permits, long windowNanos, Map<String, Option> options, String burst) {
        this.algorithm = algorithm;
        this.name = name;
        this.permits = permits;
        this.windowNanos = windowNanos;
        this.options = options;
        this.burst = burst;
    }

    /** Returns these parts with another name. */
    final LimitSpec withName(String name) {
        return new LimitSpec(algorithm, Checks.name("name", name), permits, windowNanos, options, burst);
    }

    /** Returns these parts with another value of an option, which is checked when a kind of limit declares it. */
    final LimitSpec with(String option, Object value) {
        return declare(option, Objects.requireNonNull(value, () -> option + " must not be null"), "", burst);
    }

    /** Returns these parts with a share of the permits and of the burst, each rounded down and at least 1. */
    final LimitSpec withShare(double share) {
        if (algorithm.equals(UNLIMITED)) {
            return this;
        }
        long part = share(permits, share);
        LimitSpec spec = new LimitSpec(algorithm, name, part, windowNanos, options, burst);
        return burst.isEmpty()
                ? spec
                : spec.with(burst, Math.min(share(number(burst), share), Checks.maxBurst(part, windowNanos)));
    }

    private static long share(long permits, double share) {
        BigDecimal exact =
                BigDecimal.valueOf(permits).multiply(new BigDecimal(share)); // a double cannot count beyond 2^53
        return Math.max(1, exact.longValue());
    }

    /** Declares an option in nanoseconds. */
    final LimitSpec duration(String option, long usual, long least, long most) {
        long value = given(option, usual);
        Checks.duration(option, value, least, most);
        return declare(option, value, value == usual ? "" : Durations.text(value), burst);
    }

    /** Declares an option that is a number. */
    final LimitSpec number(String option, long usual, long least, long most) {
        long value = given(option, usual);
        Checks.range(option, value, least, most);
        return declare(option, value, value == usual ? "" : Long.toString(value), burst);
    }

    /** Declares the option that is the most permits of a request, and that a share scales. */
    final LimitSpec burst(String option, long usual) {
        long value = given(option, usual);
        Checks.burst(option, value, permits, windowNanos);
        return declare(option, value, value == usual ? "" : Long.toString(value), option);
    }

    /** Declares an option that is one of the constants of an enum. */
    final <E extends Enum<E>> LimitSpec choice(String option, E usual) {
        Option given = options.get(option);
        Enum<?> value = usual;
        if (given != null) {
            value = given.value instanceof String text ? constant(usual, text) : (Enum<?>) given.value;
        }
        return declare(option, value, value == usual ? "" : value.name().toLowerCase(Locale.ROOT), burst);
    }

    private static <E extends Enum<E>> E constant(E usual, String text) {
        return Enum.valueOf(usual.getDeclaringClass(), text.toUpperCase(Locale.ROOT));
    }

    private long given(String option, long usual) {
        Option given = options.get(option);
        return given == null ? usual : (Long) given.value;
    }

    private LimitSpec declare(String option, Object value, String text, String burst) {
        Map<String, Option> changed = new LinkedHashMap<>(options);
        changed.remove(option); // to be the last
        changed.put(option, new Option(value, text));
        return new LimitSpec(algorithm, name, permits, windowNanos, changed, burst);
    }

    /** Returns the value of a declared option. */
    final long number(String option) {
        return (Long) declared(option);
    }

    /** Returns the value of a declared option. */
    final <E extends Enum<E>> E choice(String option, Class<E> type) {
        return type.cast(declared(option));
    }

    private Object declared(String option) {
        return Objects.requireNonNull(options.get(option)).value;
    }

    /** Returns the text name of the algorithm. */
    final String algorithm() {
        return algorithm;
    }

    /**
     * Returns the name under which state is carried over when limits change.
     *
     * @return the name; empty if the position among the key's limits identifies this limit
     */
    public final String name() {
        return name;
    }

    /**
     * Returns the number of permits per window.
     *
     * @return at least 1
     */
    public final long permits() {
        return permits;
    }

    /**
     * Returns the length of the window.
     *
     * @return at least 1 ns
     */
    public final Duration window() {
        return Duration.ofNanos(windowNanos);
    }

    /**
     * Returns the length of the window in nanoseconds.
     *
     * @return at least 1
     */
    public final long windowNanos() {
        return windowNanos;
    }

    /**
     * Returns the most permits that one request can be granted: N, the burst of a token bucket or of GCRA, the capacity of a
     * leaky bucket. A request for more is denied with {@link Decision#never()}.
     *
     * @return at least 1
     */
    public final long maxPermitsPerRequest() {
        return burst.isEmpty() ? permits : number(burst);
    }

    @Override
    public final boolean equals(Object other) {
        return this == other
                || (other instanceof LimitSpec spec
                        && spec.getClass() == getClass()
                        && spec.permits == permits
                        && spec.windowNanos == windowNanos
                        && spec.algorithm.equals(algorithm)
                        && spec.name.equals(name)
                        && spec.options.equals(options));
    }

    @Override
    public final int hashCode() {
        return 31 * (31 * algorithm.hashCode() + Long.hashCode(permits)) + Long.hashCode(windowNanos);
    }

    /** Returns the canonical text, which {@link Limit#parse} reads; options that have their default are left out. */
    @Override
    public final String toString() {
        StringBuilder out = new StringBuilder(algorithm);
        if (!algorithm.equals(UNLIMITED)) {
            out.append(' ').append(permits).append('/').append(Durations.text(windowNanos));
        }
        options.forEach((option, value) -> out.append(value.text.isEmpty() ? "" : " " + option + "=" + value.text));
        return out.append(name.isEmpty() ? "" : " name=" + name).toString();
    }
}
