package dev.weir.http;

import dev.weir.internal.OccasionalLog;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the headers of one response say of the limits of its server. The headers are not trusted: what is not of the expected
 * form, negative or too long is ignored, and logged at most once a minute; numbers saturate.
 */
final class ServerLimitsReader {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int MAX_LENGTH = 8_192;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,40}");
    private static final int MAX_DIGITS = 15; // of an integer of a structured field; more digits saturate
    private static final long MAX_NUMBER = 999_999_999_999_999L;
    private static final long EPOCH_SECONDS = 1_000_000_000; // resets from here on are instants, not durations
    private static final long EPOCH_MILLIS = 1_000_000_000_000L;
    private static final long UNKNOWN = -1;
    private static final int MOST_VALUES = 16; // of Retry-After
    /** The three forms of dates that recipients must accept (RFC 9110, section 5.6.7). */
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            of850(),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC)); // of asctime in C

    private final Function<String, List<String>> headers;
    private final OccasionalLog log;

    ServerLimitsReader(Function<String, List<String>> headers, OccasionalLog log) {
        this.headers = headers;
        this.log = log;
    }

    /** The form of RFC 850. A year has two digits and is at most 50 years in the future. */
    private static DateTimeFormatter of850() {
        return new DateTimeFormatterBuilder()
                .appendPattern("EEEE, dd-MMM-")
                .appendValueReduced(
                        ChronoField.YEAR, 2, 2, LocalDate.now(ZoneOffset.UTC).minusYears(49))
                .appendPattern(" HH:mm:ss 'GMT'")
                .toFormatter(Locale.ENGLISH)
                .withZone(ZoneOffset.UTC);
    }

    /** Returns whether a status says that a call was refused for now. */
    static boolean isRefusal(int status) {
        return status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE;
    }

    ServerLimits read(int status, boolean rateLimitHeaders) {
        ServerLimits learned = ServerLimits.NONE;
        if (isRefusal(status)) {
            learned = new ServerLimits(retryAfter(), List.of());
        }
        return rateLimitHeaders
                ? learned.and(rateLimit()).and(separate("RateLimit-")).and(separate("X-RateLimit-"))
                : learned;
    }

    private Duration retryAfter() {
        Duration longest = Duration.ZERO;
        List<String> values = values("Retry-After");
        for (String value : values.subList(0, Math.min(MOST_VALUES, values.size()))) {
            longest = ServerLimits.longer(longest, retryAfter(value));
        }
        return longest;
    }

    private Duration retryAfter(String value) {
        long seconds = strictest(value, Math::max); // lines may have been combined
        if (seconds != UNKNOWN) {
            return Duration.ofSeconds(seconds);
        }
        Instant date = date(value);
        if (date == null) {
            ignored("Retry-After", value);
            return Duration.ZERO;
        }
        return until(date);
    }

    /** Reads the list of draft-ietf-httpapi-ratelimit-headers-11, all of it or nothing. */
    private ServerLimits rateLimit() {
        String value = value("RateLimit");
        ServerLimits strictest = ServerLimits.NONE;
        if (value.isEmpty()) {
            return strictest;
        }
        try {
            for (StructuredList.Item item : StructuredList.parse(value)) {
                long remaining = number(item.parameter("r"));
                long seconds = number(item.parameter("t"));
                strictest = strictest.and(limits(remaining, Duration.ofSeconds(Math.max(0, seconds))));
            }
            return strictest;
        } catch (IllegalArgumentException malformed) {
            ignored("RateLimit", value);
            return ServerLimits.NONE;
        }
    }

    private ServerLimits separate(String prefix) {
        String value = value(prefix + "Remaining");
        if (value.isEmpty()) {
            return ServerLimits.NONE;
        }
        long remaining = strictest(value, Math::min);
        if (remaining == UNKNOWN) {
            ignored(prefix + "Remaining", value);
        }
        long reset = strictest(value(prefix + "Reset"), Math::max);
        return limits(remaining, reset < EPOCH_SECONDS ? Duration.ofSeconds(Math.max(0, reset)) : until(epoch(reset)));
    }

    private static ServerLimits limits(long remaining, Duration reset) {
        if (remaining == UNKNOWN) {
            return ServerLimits.NONE;
        }
        return ServerLimits.of(remaining, reset);
    }

    /** Returns one of the numbers of a list; -1 if one of them is no number. */
    private static long strictest(String list, java.util.function.LongBinaryOperator choice) {
        long chosen = UNKNOWN;
        for (String element : list.split(",", -1)) {
            long number = number(element.strip());
            if (number == UNKNOWN) {
                return UNKNOWN;
            }
            chosen = chosen == UNKNOWN ? number : choice.applyAsLong(chosen, number);
        }
        return chosen;
    }

    /** Returns a number of zero or more, saturating; -1 if the text is none. */
    private static long number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return UNKNOWN;
        }
        return text.length() > MAX_DIGITS ? MAX_NUMBER : Long.parseLong(text);
    }

    private static Instant epoch(long number) {
        return number < EPOCH_MILLIS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
    }

    /** Returns the time from the server's date to another one: the clocks of the two machines need not agree. */
    private Duration until(Instant end) {
        Instant now = date(value("Date"));
        Duration left = Duration.between(now == null ? Instant.now() : now, end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static @Nullable Instant date(String text) {
        for (DateTimeFormatter form : DATES) {
            try {
                return form.parse(text, Instant::from);
            } catch (DateTimeException malformed) {
                // it may be of another form
            }
        }
        return null;
    }

    /** Returns all values of a header as one list; empty if there is none or if it is too long. */
    private String value(String name) {
        return String.join(",", values(name));
    }

    /** Returns all values of a header; none if it is too long. */
    private List<String> values(String name) {
        List<String> values = new ArrayList<>();
        long length = 0;
        for (String value : headers.apply(name)) {
            length += value.length() + 1;
            if (length > MAX_LENGTH) {
                ignored(name, value);
                return List.of();
            }
            values.add(value.strip());
        }
        return values;
    }

    private void ignored(String name, String value) {
        log.warn("a header is ignored: " + name + ": " + OccasionalLog.shown(value), null);
    }
}
