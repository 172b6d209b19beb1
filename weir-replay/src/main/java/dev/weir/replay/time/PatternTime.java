package dev.weir.replay.time;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The times that a {@link DateTimeFormatter} pattern reads, in English and in UTC unless the text has a zone. */
public final class PatternTime implements TimeParser {
    private static final ZonedDateTime SAMPLE =
            LocalDateTime.of(2015, 5, 17, 10, 5, 3).atZone(ZoneOffset.UTC);
    private static final List<Map.Entry<String, Duration>> UNITS = List.of(
            Map.entry("half of the day (HH, or hh with a)", Duration.ofHours(12)),
            Map.entry("hour (HH)", Duration.ofHours(1)),
            Map.entry("minute (mm)", Duration.ofMinutes(1)),
            Map.entry("second (ss)", Duration.ofSeconds(1)),
            Map.entry("fraction of a second (S)", Duration.ofMillis(100)));
    private static final DateTimeFormatter SHORT_NAME = DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);
    private static final DateTimeFormatter FULL_NAME = DateTimeFormatter.ofPattern("zzzz", Locale.ENGLISH);

    private final DateTimeFormatter formatter;
    private byte[] lastText = {};
    private long lastTime = NOT_OF_THE_FORM;

    /** Creates a parser for a pattern that {@link #formatter} accepts. */
    public PatternTime(String pattern) {
        formatter = formatter(pattern);
    }

    /**
     * Returns the formatter of a pattern.
     *
     * @throws IllegalArgumentException if the pattern is invalid, lacks the date, or lacks a unit larger than its smallest
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
        try {
            nanos(formatter, formatter.format(SAMPLE));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "time format '" + pattern
                            + "' must contain at least year, month and day, as in yyyy-MM-dd HH:mm:ss",
                    e);
        }
        requireLargerUnits(pattern, formatter);
        return formatter;
    }

    /**
     * Refuses a pattern that reads seconds but not minutes, or hours of half a day but not which half: {@code hh:mm:ss} without
     * {@code a} reads every time as midnight, {@code HH:MM:ss} has the month twice, {@code HH:mm:SS} reads seconds as fractions.
     */
    private static void requireLargerUnits(String pattern, DateTimeFormatter formatter) {
        String sample = formatter.format(SAMPLE);
        String missing = "";
        for (Map.Entry<String, Duration> unit : UNITS) {
            boolean written = !formatter.format(SAMPLE.plus(unit.getValue())).equals(sample);
            if (written && !missing.isEmpty()) {
                throw new IllegalArgumentException(
                        "time format '" + pattern + "' contains the " + unit.getKey() + " but not the " + missing);
            }
            missing = written ? missing : unit.getKey();
        }
    }

    @Override
    public long parse(byte[] text, int from, int to) {
        if (!Arrays.equals(lastText, 0, lastText.length, text, from, to)) {
            lastText = Arrays.copyOfRange(text, from, to);
            try {
                lastTime = nanos(formatter, new String(lastText, StandardCharsets.UTF_8));
            } catch (DateTimeException e) {
                lastTime = NOT_OF_THE_FORM;
            }
        }
        return lastTime;
    }

    private static long nanos(DateTimeFormatter formatter, String text) {
        TemporalAccessor parsed = formatter.parse(text);
        LocalDateTime local = parsed.isSupported(ChronoField.NANO_OF_DAY)
                ? LocalDateTime.from(parsed)
                : LocalDate.from(parsed).atStartOfDay();
        Instant instant = local.toInstant(offset(parsed, local, text));
        return Nanos.of(instant.getEpochSecond(), instant.getNano());
    }

    /*
     * The name of a zone such as CET says which offset it stands for, but the JDK reads it as a region and looks up the
     * region's offset. In the hour that is repeated in autumn, and for a region that never changes but shares the name of one
     * that does, that is another one.
     */
    private static ZoneOffset offset(TemporalAccessor parsed, LocalDateTime local, String text) {
        if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
            return ZoneOffset.ofTotalSeconds(parsed.get(ChronoField.OFFSET_SECONDS));
        }
        ZoneId zone = parsed.query(TemporalQueries.zoneId());
        if (zone == null) {
            return ZoneOffset.UTC;
        }
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local).stream()
                .filter(offset -> agrees(text, ZonedDateTime.ofLocal(local, zone, offset)))
                .toList();
        if (offsets.size() != 1) {
            throw new DateTimeException(offsets.isEmpty() ? "no such time in this zone" : "a time that is there twice");
        }
        return offsets.get(0);
    }

    /** Returns whether a text names the zone of a time by its region, as Europe/Paris, or as it is called at that time. */
    private static boolean agrees(String text, ZonedDateTime time) {
        String region = time.getZone().getId();
        return time.getZone().getRules().isFixedOffset()
                || (region.contains("/") && contains(text, region))
                || contains(text, SHORT_NAME.format(time))
                || contains(text, FULL_NAME.format(time));
    }

    private static boolean contains(String text, String name) {
        return text.toLowerCase(Locale.ENGLISH).contains(name.toLowerCase(Locale.ENGLISH));
    }
}
