package dev.weir.replay;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How to read a log. Immutable. */
public final class LogOptions {
    /** The order in which requests are played. */
    public enum Order {
        /** By time; requests of one instant stay as they are in the log. */
        TIME,
        /** As the log has them; one that is dated before an earlier line happens at that line's time. */
        FILE
    }

    /** The detected format, keyed by address, in the order of time. */
    public static final LogOptions DEFAULT = builder().build();

    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 2261;

    private final LogFormat format;
    private final String key;
    private final @Nullable String timeField;
    private final @Nullable String timeFormat;
    private final YearSource years;
    private final @Nullable ClientChoice client;
    private final Order order;
    private final boolean skipsUnreadable;

    private LogOptions(Builder builder) {
        format = builder.format;
        key = builder.key;
        timeField = builder.timeField;
        timeFormat = builder.timeFormat;
        years = new YearSource(builder.year, builder.written);
        client = builder.client;
        order = builder.order;
        skipsUnreadable = builder.skipsUnreadable;
    }

    /** Returns a builder with the default options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the format of the lines. */
    public LogFormat format() {
        return format;
    }

    /**
     * Returns the part of a line that a limit counts for: {@code ip}, {@code user} or {@code path} in a combined log or a preset,
     * otherwise the name of a field. A regex has its group {@code key} instead.
     */
    public String key() {
        return key;
    }

    /** Returns the order in which the requests are played. */
    public Order order() {
        return order;
    }

    /** Returns the pattern of the times, or null if they are in a format of their own. */
    public @Nullable String timeFormat() {
        return timeFormat;
    }

    String timeField() {
        return timeField == null ? FieldPlan.TIME : timeField;
    }

    boolean hasTimeField() {
        return timeField != null;
    }

    YearSource years() {
        return years;
    }

    @Nullable
    ClientChoice client() {
        return client;
    }

    boolean skipsUnreadable() {
        return skipsUnreadable;
    }

    /** Builds {@link LogOptions}. Every method checks its argument. */
    public static final class Builder {
        private LogFormat format = LogFormat.AUTO;
        private String key = "ip";
        private @Nullable String timeField;
        private @Nullable String timeFormat;
        private @Nullable Integer year;
        private @Nullable Instant written;
        private @Nullable ClientChoice client;
        private Order order = Order.TIME;
        private boolean skipsUnreadable;

        private Builder() {}

        /** Sets the format of the lines. The default is {@link LogFormat#AUTO}. */
        public Builder format(LogFormat value) {
            format = Objects.requireNonNull(value, "format");
            return this;
        }

        /** Sets the part of a line that a limit counts for. The default is {@code ip}. */
        public Builder key(String value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("key must be ip, user, path or a field's name, was empty");
            }
            key = value;
            return this;
        }

        /** Sets the field with the time, for formats that name their fields. The default is that of the format. */
        public Builder timeField(String value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("time field must be a field's name, was empty");
            }
            timeField = value;
            return this;
        }

        /**
         * Sets a {@link java.time.format.DateTimeFormatter} pattern in English for the times, which are UTC where the text has no
         * zone.
         */
        public Builder timeFormat(String value) {
            PatternTime.formatter(value);
            timeFormat = value;
            return this;
        }

        /** Sets the year of the first time, for times without a year. */
        public Builder year(int value) {
            if (value < FIRST_YEAR || value > LAST_YEAR) {
                throw new IllegalArgumentException(
                        "year must be from " + FIRST_YEAR + " to " + LAST_YEAR + ", was " + value);
            }
            year = value;
            return this;
        }

        /** Sets when the log was last written, which gives times without a year their year if {@link #year} does not. */
        public Builder written(Instant value) {
            written = Objects.requireNonNull(value, "written");
            return this;
        }

        /** Sets which address of a forwarded list is the client. Without it, lines with such a list are not read. */
        public Builder client(ClientChoice value) {
            client = Objects.requireNonNull(value, "client");
            return this;
        }

        /** Sets the order in which the requests are played. The default is {@link Order#TIME}. */
        public Builder order(Order value) {
            order = Objects.requireNonNull(value, "order");
            return this;
        }

        /** Sets whether a log is read of which more than half of the lines are unreadable. The default is false. */
        public Builder skipUnreadable(boolean value) {
            skipsUnreadable = value;
            return this;
        }

        /** Returns the options. */
        public LogOptions build() {
            return new LogOptions(this);
        }
    }
}
