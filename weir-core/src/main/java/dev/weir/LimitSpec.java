package dev.weir;

import dev.weir.Accounting.Method;
import dev.weir.internal.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The parts of a limit: its algorithm, permits, window, options and name, and the text and the accounting that follow from them.
 * An option is stored as it was given until a kind of limit declares it, which checks it or fills in its default, and sets how
 * the limit counts. Immutable.
 *
 * <p>Its public methods are not final. So the compiler adds them to {@link Limit}, which is public, and reflection can call them, as
 * expression languages do.
 */
abstract class LimitSpec {
    static final String UNLIMITED = "unlimited";

    private static final long MAX_USUAL_RESOLUTION_NANOS = 1_000_000; // 1 ms
    private static final long USUAL_TICKS = 1_000;
    private static final long MAX_BUCKETS = 1_000_000;
    private static final long USUAL_BUCKETS = 60;
    private static final long MAX_EXACT_DOUBLE = 1L << 53;

    private final String algorithm;
    private final String name;
    private final long permits;
    private final long windowNanos;
    private final Map<String, Option> options; // in the order of the text
    private final Accounting accounting;

    /**
     * An option.
     *
     * @param value its value
     * @param text its text, which is empty for the default
     * @param example a text of a number, of a duration, or of all choices; values are written in this form
     * @param scaled whether a share scales the value
     */
    record Option(Object value, String text, String example, boolean scaled) {}

    LimitSpec(LimitSpec spec) {
        this(spec.algorithm, spec.name, spec.permits, spec.windowNanos, spec.options, spec.accounting);
    }

    private LimitSpec(
            String algorithm,
            String name,
            long permits,
            long windowNanos,
            Map<String, Option> options,
            Accounting accounting) {
        this.algorithm = algorithm;
        this.name = name;
        this.permits = permits;
        this.windowNanos = windowNanos;
        this.options = options;
        this.accounting = accounting;
    }

    /** Returns the parts of a limit without options. */
    static LimitSpec of(String algorithm, long permits, Duration window) {
        Checks.permits(permits);
        long windowNanos = Checks.windowNanos(window);
        Accounting uncounted = new Accounting(Method.NOTHING, windowNanos, 1, 0);
        return new LimitSpec(algorithm, "", permits, windowNanos, Map.of(), uncounted) {};
    }

    /** Returns the parts of the limit that never denies; no rate depends on its window. */
    static LimitSpec withoutRate() {
        return of(UNLIMITED, Long.MAX_VALUE, Duration.ofSeconds(1));
    }

    final LimitSpec withName(String name) {
        return draft(Checks.name(name), permits, options, accounting);
    }

    /** Returns these parts with another value of an option, which is checked when a kind of limit declares it. */
    final LimitSpec with(String option, Object value) {
        Objects.requireNonNull(value, () -> option + " must not be null");
        return declare(option, new Option(value, "", "", false), accounting);
    }

    /** Returns these parts with a share of the permits and of the burst, each rounded down and at least 1. */
    final LimitSpec withShare(double share) {
        long part = share(permits, share);
        long most = Checks.maxBurst(part, windowNanos);
        Map<String, Option> scaled = new LinkedHashMap<>(options);
        scaled.replaceAll((key, option) ->
                option.scaled ? new Option(Math.min(share((Long) option.value, share), most), "", "", true) : option);
        return draft(name, part, scaled, accounting);
    }

    private static long share(long permits, double share) {
        long part = BigDecimal.valueOf(permits).multiply(new BigDecimal(share)).longValue();
        boolean isExact = permits <= MAX_EXACT_DOUBLE; // then a double is the nearest one to the number that was meant
        return Math.max(1, isExact && part < permits && (part + 1) / (double) permits <= share ? part + 1 : part);
    }

    /** Declares the length of a tick; by default 1 ms or a thousandth of the window, whichever is shorter. */
    final LimitSpec resolution(String option) {
        long usual = Math.max(1, Math.min(MAX_USUAL_RESOLUTION_NANOS, windowNanos / USUAL_TICKS));
        long tick = number(option, usual);
        Checks.duration(option, tick, 1, windowNanos);
        String text = tick == usual ? "" : Durations.text(tick);
        return declare(option, new Option(tick, text, "1ms", false), accounting.withTick(tick));
    }

    /** Declares the number of ticks per window; by default 60. */
    final LimitSpec buckets(String option) {
        long usual = Math.min(USUAL_BUCKETS, windowNanos);
        long buckets = number(option, usual);
        Checks.range(option, buckets, 1, Math.min(MAX_BUCKETS, windowNanos));
        long tick = (windowNanos - 1) / buckets + 1;
        String text = buckets == usual ? "" : "" + buckets;
        return declare(option, new Option(buckets, text, "60", false), accounting.withTick(tick));
    }

    /** Declares by how much longer than the window a permit counts; by default zero. */
    final LimitSpec margin(String option) {
        long margin = number(option, 0);
        Checks.duration(option, margin, 0, Checks.LONGEST_NANOS - windowNanos);
        String text = margin == 0 ? "" : Durations.text(margin);
        return declare(option, new Option(margin, text, "50ms", false), accounting.withWindow(windowNanos + margin));
    }

    /** Declares the most permits that may be outstanding at once, and the method by which they are counted. */
    final LimitSpec burst(String option, long usual, Method method) {
        long burst = number(option, usual);
        Checks.range(option, burst, 1, Checks.maxBurst(permits, windowNanos));
        Accounting counted = new Accounting(method, accounting.windowNanos(), accounting.tickNanos(), burst);
        return declare(option, new Option(burst, burst == usual ? "" : "" + burst, "20", true), counted);
    }

    /** Declares a choice of two, each with its method of counting; the first is the default. */
    final <E extends Enum<E>> LimitSpec choice(String option, E usual, Method usually, E other, Method otherwise) {
        Class<E> type = usual.getDeclaringClass();
        Object given = value(option, usual);
        E value = given instanceof String text ? Enum.valueOf(type, text.toUpperCase(Locale.ROOT)) : type.cast(given);
        String choices = (usual.name() + "|" + other.name()).toLowerCase(Locale.ROOT);
        String shown = value == other ? other.name().toLowerCase(Locale.ROOT) : "";
        Accounting counted = accounting.by(value == other ? otherwise : usually);
        return declare(option, new Option(value, shown, choices, false), counted);
    }

    private LimitSpec declare(String option, Option value, Accounting counted) {
        Map<String, Option> changed = new LinkedHashMap<>(options);
        changed.remove(option); // to be the last
        changed.put(option, value);
        return draft(name, permits, changed, counted);
    }

    /** Returns changed parts, until a kind of limit declares its options. */
    private LimitSpec draft(String name, long permits, Map<String, Option> options, Accounting accounting) {
        return new LimitSpec(algorithm, name, permits, windowNanos, options, accounting) {};
    }

    private Object value(String option, Object usual) {
        Option given = options.get(option);
        return given == null ? usual : given.value;
    }

    /** Returns the value of an option, or the default if it was not given. */
    final long number(String option, long usual) {
        return (Long) value(option, usual);
    }

    final String algorithm() {
        return algorithm;
    }

    /** Returns the options by name, in the order of the text. */
    final Map<String, Option> options() {
        return options;
    }

    /**
     * {@return the name under which state is carried over when limits change; empty if the position among the key's limits
     * identifies this limit}
     */
    public String name() {
        return name;
    }

    /** {@return the number of permits per window, at least 1} */
    public long permits() {
        return permits;
    }

    /** {@return the length of the window, at least 1 ns} */
    public Duration window() {
        return Duration.ofNanos(windowNanos);
    }

    /** {@return the length of the window in nanoseconds, at least 1} */
    public long windowNanos() {
        return windowNanos;
    }

    /** {@return how this limit counts, for implementations of {@link dev.weir.store.Store}} */
    public Accounting accounting() {
        return accounting;
    }

    /**
     * {@return the most permits that one request can be granted, at least 1: N, the burst of a token bucket or of GCRA, the
     * capacity of a leaky bucket} A request for more is denied with {@link Decision#never()}.
     */
    public long maxPermitsPerRequest() {
        return accounting.burst() == 0 ? permits : accounting.burst();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof LimitSpec spec
                        && spec.getClass() == getClass()
                        && spec.permits == permits
                        && spec.windowNanos == windowNanos
                        && spec.name.equals(name)
                        && spec.options.equals(options));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * algorithm.hashCode() + Long.hashCode(permits)) + Long.hashCode(windowNanos);
    }

    /** Returns the canonical text, which {@link Limit#parse} reads; options that have their default are left out. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder(algorithm);
        if (!algorithm.equals(UNLIMITED)) {
            out.append(' ').append(permits).append('/').append(Durations.text(windowNanos));
        }
        options.forEach((option, value) -> out.append(value.text.isEmpty() ? "" : " " + option + "=" + value.text));
        return out.append(name.isEmpty() ? "" : " name=" + name).toString();
    }
}
