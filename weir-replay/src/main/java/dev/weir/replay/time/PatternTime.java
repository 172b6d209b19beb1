package dev.weir.replay.time;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Locale;

/** The times that a {@link DateTimeFormatter} pattern reads, in English and in UTC unless the text has a zone. */
public final class PatternTime implements TimeParser {
    private final DateTimeFormatter formatter;
    private byte[] lastText = {};
    private long lastTime = NOT_A_TIME;

    /** Creates a parser for a pattern that {@link #formatter} accepts. */
    public PatternTime(String pattern) {
        formatter = formatter(pattern);
    }

    /**
     * Returns the formatter of a pattern.
     *
     * @throws IllegalArgumentException if the pattern is invalid or lacks the date
     */
    public static DateTimeFormatter formatter(String pattern) {
        DateTimeFormatter formatter;
        try {
            formatter = new DateTimeFormatterBuilder()
                    .parseCaseInsensitive()
                    .appendPattern(pattern)
                    .toFormatter(Locale.ENGLISH);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("time format '" + pattern + "': " + e.getMessage(), e);
        }
        LocalDateTime sample = LocalDateTime.of(2015, 5, 17, 10, 5, 3);
        try {
            nanos(formatter, formatter.format(sample.atZone(ZoneOffset.UTC)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "time format '" + pattern
                            + "' must contain at least year, month and day, as in yyyy-MM-dd HH:mm:ss",
                    e);
        }
        return formatter;
    }

    @Override
    public long parse(byte[] text, int from, int to) {
        if (!Arrays.equals(lastText, 0, lastText.length, text, from, to)) {
            lastText = Arrays.copyOfRange(text, from, to);
            try {
                lastTime = nanos(formatter, new String(lastText, StandardCharsets.UTF_8));
            } catch (DateTimeException e) {
                lastTime = NOT_A_TIME;
            }
        }
        return lastTime;
    }

    private static long nanos(DateTimeFormatter formatter, String text) {
        TemporalAccessor parsed = formatter.parse(text);
        if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
            return Nanos.of(parsed.getLong(ChronoField.INSTANT_SECONDS), parsed.get(ChronoField.NANO_OF_SECOND));
        }
        LocalDateTime local = parsed.isSupported(ChronoField.NANO_OF_DAY)
                ? LocalDateTime.from(parsed)
                : LocalDate.from(parsed).atStartOfDay();
        Instant instant = local.toInstant(ZoneOffset.UTC);
        return Nanos.of(instant.getEpochSecond(), instant.getNano());
    }
}
