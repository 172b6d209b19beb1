package dev.weir.replay.format;

import dev.weir.replay.time.AnyTime;
import dev.weir.replay.time.PatternTime;
import dev.weir.replay.time.TimeParser;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options for reading a log. Immutable. */
public final class LogOptions {
    /** The order in which requests are replayed. */
    public enum Order {
        /** By time; requests with the same time keep their order in the log. */
        TIME,
        /** By line; a request that is dated before an earlier line is replayed at the latest time of the lines before it. */
        FILE
    }

    /** The default options: the format is detected, the key is the address, and requests are ordered by time. */
    public static final LogOptions DEFAULT = builder().build();

    private static final String DEFAULT_TIME_FIELD = "time";
    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 2261;

    private final LogFormat format;
    private final String key;
    private final @Nullable String timeField;
    private final @Nullable String timeFormat;
    private final @Nullable Integer year;
    private final @Nullable Instant written;
    private final @Nullable ClientChoice client;
    private final Order order;
    private final boolean skipsUnreadable;

    private LogOptions(Builder builder) {
        format = builder.format;
        key = builder.key;
        timeField = builder.timeField;
        timeFormat = builder.timeFormat;
        year = builder.year;
        written = builder.written;
        client = builder.client;
        order = builder.order;
        skipsUnreadable = builder.skipsUnreadable;
    }

    /** {@return a builder with the default options} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the format of the lines} */
    public LogFormat format() {
        return format;
    }

    /**
     * Returns the part of a line that is the key of the request. Not used by regular expressions, which have a group {@code key}.
     *
     * @return {@code ip}, {@code user} or {@code path} in a combined log or the log of a product, otherwise the name of a field
     */
    public String key() {
        return key;
    }

    /** {@return the order in which the requests are replayed} */
    public Order order() {
        return order;
    }

    @Nullable
    String timeFormat() {
        return timeFormat;
    }

    String timeField() {
        return timeField == null ? DEFAULT_TIME_FIELD : timeField;
    }

    boolean hasTimeField() {
        return timeField != null;
    }

    /** Returns a parser for the times of the log, which are in any usual form unless there is a pattern. */
    TimeParser timeParser() {
        return timeFormat == null ? new AnyTime(year, written) : new PatternTime(timeFormat);
    }

    @Nullable
    ClientChoice client() {
        return client;
    }

    boolean skipsUnreadable() {
        return skipsUnreadable;
    }

    /**
     * A builder of {@link LogOptions}. Each setter checks its argument; {@link LogReader#read} checks whether the options fit the
     * format. Not thread-safe.
     */
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

        /**
         * Sets the format of the lines. The default is {@link LogFormat#AUTO}.
         *
         * @param value the format
         * @return this builder
         */
        public Builder format(LogFormat value) {
            format = Objects.requireNonNull(value, "format");
            return this;
        }

        /**
         * Sets the part of a line that is the key of the request. The default is {@code ip}.
         *
         * @param value {@code ip}, {@code user} or {@code path} in a combined log or the log of a product, otherwise the name of a
         *     field; in JSON, a path with dots names a field of a nested object
         * @return this builder
         * @throws IllegalArgumentException if the key is empty
         */
        public Builder key(String value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("key must be ip, user, path or a field's name, was empty");
            }
            key = value;
            return this;
        }

        /**
         * Sets the field that contains the time, for formats that name their fields. The default is that of the product, or
         * {@code time}.
         *
         * @param value the name of the field
         * @return this builder
         * @throws IllegalArgumentException if the name is empty
         */
        public Builder timeField(String value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("time field must be a field's name, was empty");
            }
            timeField = value;
            return this;
        }

        /**
         * Sets the pattern of the times. Names of months and days are English, and times without a zone are UTC. By default, the
         * usual forms are recognized.
         *
         * @param value a {@link java.time.format.DateTimeFormatter} pattern with at least year, month and day
         * @return this builder
         * @throws IllegalArgumentException if the pattern is invalid or lacks the date
         */
        public Builder timeFormat(String value) {
            PatternTime.formatter(value);
            timeFormat = value;
            return this;
        }

        /**
         * Sets the year of the first request, for logs whose times have no year.
         *
         * @param value the year, 1970 to 2261
         * @return this builder
         * @throws IllegalArgumentException if the year is out of range
         */
        public Builder year(int value) {
            if (value < FIRST_YEAR || value > LAST_YEAR) {
                throw new IllegalArgumentException(
                        "year must be from " + FIRST_YEAR + " to " + LAST_YEAR + ", was " + value);
            }
            year = value;
            return this;
        }

        /**
         * Sets when the log was last written. If {@link #year} is not set, the year of the first request is the latest one in
         * which that request is at most a day after this time.
         *
         * @param value when the log was last written
         * @return this builder
         */
        public Builder written(Instant value) {
            written = Objects.requireNonNull(value, "written");
            return this;
        }

        /**
         * Sets which address of a forwarded list is the client. By default, lines with such a list are skipped as unreadable; with
         * a choice, lines whose list is too short for it.
         *
         * @param value the choice
         * @return this builder
         */
        public Builder client(ClientChoice value) {
            client = Objects.requireNonNull(value, "client");
            return this;
        }

        /**
         * Sets the order in which the requests are replayed. The default is {@link Order#TIME}.
         *
         * @param value the order
         * @return this builder
         */
        public Builder order(Order value) {
            order = Objects.requireNonNull(value, "order");
            return this;
        }

        /**
         * Sets whether to read a log even if more than half of its lines are unreadable. The default is false.
         *
         * @param value whether to skip any number of unreadable lines
         * @return this builder
         */
        public Builder skipUnreadable(boolean value) {
            skipsUnreadable = value;
            return this;
        }

        /** {@return the options} */
        public LogOptions build() {
            return new LogOptions(this);
        }
    }
}
