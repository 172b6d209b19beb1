package dev.weir.replay;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to read a log.
 *
 * @param format how its lines are written
 * @param key what tells the askers apart: {@code ip}, {@code user} or {@code path} in a combined log, a field's name in
 *     csv and jsonl; a regex has its group {@code key} instead
 * @param timeFormat a {@link java.time.format.DateTimeFormatter} pattern in English for the times, UTC where it has no
 *     zone; null for the format's own times
 * @param order the order in which the requests are played
 */
public record LogOptions(
        LogFormat format, String key, @Nullable String timeFormat, Order order) {
    /** The order in which requests are played. */
    public enum Order {
        /** By time; requests of one instant stay as they are in the log. */
        TIME,
        /** As the log has them; one that is dated before an earlier line happens at that line's time. */
        FILE
    }

    /** The detected format, keyed by address, in the order of time. */
    public static final LogOptions DEFAULT = new LogOptions(LogFormat.AUTO, "ip", null, Order.TIME);

    public LogOptions {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(order, "order");
        if (key.isEmpty()) {
            throw new IllegalArgumentException("key must be ip, user, path or a field's name, was empty");
        }
        if (timeFormat != null) {
            PatternTime.formatter(timeFormat);
        }
    }
}
