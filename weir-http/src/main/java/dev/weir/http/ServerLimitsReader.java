package dev.weir.http;

import dev.weir.internal.OccasionalLog;
import dev.weir.internal.Spelling;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the headers of one response say of the limits of its server. The headers are not trusted: what is not of the expected
 * form, negative or too long is ignored, and logged at most once a minute; numbers saturate.
 */
final class ServerLimitsReader {
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int MAX_LENGTH = 8_192;
    private static final Pattern NUMBER = // the RFCs have integers, but some servers send 2.0 or 0.314
            Pattern.compile("\\d{1,40}(\\.\\d{1,40})?");
    private static final BigDecimal MAX_NUMBER = BigDecimal.valueOf(999_999_999_999_999L); // of a structured field
    private static final long EPOCH_SECONDS = 1_000_000_000; // resets from here on are instants, not durations
    private static final long EPOCH_MILLIS = 1_000_000_000_000L;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long UNKNOWN = -1;
    private static final int MOST_VALUES = 16; // of Retry-After
    /** The three forms of dates that recipients must accept (RFC 9110, section 5.6.7), and that of ISO 8601. */
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            of850(),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC), // of asctime in C
            DateTimeFormatter.ISO_OFFSET_DATE_TIME);

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

    /** Returns whether a status may say that a call was refused for now; GitHub does so by 403. */
    static boolean isRefusal(int status) {
        return status == FORBIDDEN || status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE;
    }

    ServerLimits read(int status, boolean rateLimitHeaders) {
        ServerLimits learned = ServerLimits.NONE;
        if (isRefusal(status)) {
            learned = new ServerLimits(retryAfter(), Duration.ZERO, List.of());
        }
        return rateLimitHeaders
                ? learned.and(rateLimit())
                        .and(separate("RateLimit-"))
                        .and(separate("X-RateLimit-"))
                        .and(separate("X-Rate-Limit-"))
                : learned;
    }

    private Duration retryAfter() {
        Duration longest = Duration.ZERO;
        List<String> values = values("Retry-After");
        for (String value : values.subList(0, Math.min(MOST_VALUES, values.size()))) {
            Duration wait = fromNow(value);
            if (wait == null) {
                ignored("Retry-After", value);
            } else {
                longest = ServerLimits.longer(longest, wait);
            }
        }
        return longest;
    }

    /** Reads the list of draft-ietf-httpapi-ratelimit-headers-11, all of it or nothing, or the dictionary of its draft 07. */
    private ServerLimits rateLimit() {
        String value = value("RateLimit");
        String ofDictionary = members("remaining=", value);
        if (value.isEmpty() || !ofDictionary.isEmpty()) {
            return limits("RateLimit", ofDictionary, members("reset=", value));
        }
        ServerLimits strictest = ServerLimits.NONE;
        try {
            for (Map<String, String> parameters : StructuredList.parse(value)) {
                long remaining = number(parameters.getOrDefault("r", ""), RoundingMode.FLOOR);
                long seconds = number(parameters.getOrDefault("t", ""), RoundingMode.CEILING);
                strictest = strictest.and(limits(remaining, seconds == UNKNOWN ? null : Duration.ofSeconds(seconds)));
            }
            return strictest;
        } catch (IllegalArgumentException malformed) {
            ignored("RateLimit", value);
            return ServerLimits.NONE;
        }
    }

    /** Returns the values of a key in a dictionary such as {@code limit=100, remaining=50, reset=5}, as a list. */
    private static String members(String key, String dictionary) {
        return Arrays.stream(dictionary.split(",", -1))
                .map(String::strip)
                .filter(member -> member.startsWith(key))
                .map(member -> member.substring(key.length()))
                .collect(Collectors.joining(","));
    }

    private ServerLimits separate(String prefix) {
        return limits(prefix + "Remaining", value(prefix + "Remaining"), value(prefix + "Reset"));
    }

    private ServerLimits limits(String header, String remaining, String reset) {
        if (remaining.isEmpty()) {
            return ServerLimits.NONE;
        }
        long fewest = strictest(remaining, RoundingMode.FLOOR);
        if (fewest == UNKNOWN) {
            ignored(header, remaining);
        }
        return limits(fewest, fromNow(reset));
    }

    /** Returns what remains until a reset, null if that is unknown. Some servers round down, so it is a second from now or later. */
    private static ServerLimits limits(long remaining, @Nullable Duration reset) {
        Duration known = reset == null ? ServerLimits.UNKNOWN : ServerLimits.longer(reset, SECOND);
        return remaining == UNKNOWN ? ServerLimits.NONE : ServerLimits.of(remaining, known);
    }

    /** Reads a time as a number of seconds, an instant in seconds or milliseconds, or a date; null if it is none of these. */
    private @Nullable Duration fromNow(String text) {
        long number = strictest(text, RoundingMode.CEILING); // lines may have been combined
        if (number == UNKNOWN) {
            Instant date = date(text);
            return date == null ? null : until(date);
        }
        return number < EPOCH_SECONDS ? Duration.ofSeconds(number) : until(epoch(number));
    }

    /** Returns the largest number of a list if they are rounded up, else the smallest; -1 if one of them is no number. */
    private static long strictest(String list, RoundingMode rounding) {
        long chosen = UNKNOWN;
        for (String element : list.split(",", -1)) {
            long number = number(element.strip(), rounding);
            if (number == UNKNOWN) {
                return UNKNOWN;
            }
            boolean isFirst = chosen == UNKNOWN;
            boolean isStricter = rounding == RoundingMode.CEILING ? number > chosen : number < chosen;
            chosen = isFirst || isStricter ? number : chosen;
        }
        return chosen;
    }

    /** Returns a number of zero or more as a whole one, saturating; -1 if the text is none. */
    private static long number(String text, RoundingMode rounding) {
        return NUMBER.matcher(text).matches()
                ? new BigDecimal(text).setScale(0, rounding).min(MAX_NUMBER).longValueExact()
                : UNKNOWN;
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
        if (text.isEmpty()) { // as most headers are, and an exception for each form would take long
            return null;
        }
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
        log.warn("a header is ignored: " + name + ": " + Spelling.shown(value), null);
    }
}
