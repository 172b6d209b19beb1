package dev.weir.replay.report;

import dev.weir.replay.analysis.TimeAxis;
import java.time.DayOfWeek;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;

/**
 * The labels under a time axis: the start of the axis, and the boundaries of a unit of the calendar in UTC. The unit is a part of a
 * day if the axis is at most two days long, otherwise days, weeks from Monday, months or years.
 */
final class TimeLabels {
    private static final String DATE = "EEE d MMM";
    private static final int MOST_TIMES = 6;
    private static final int MOST_DAYS = 8;
    private static final int MONTHS = 12; // per year
    private static final double WIDEST = 0.09; // of the width: a label does not begin later than this before the end
    private static final long TWO_DAYS =
            ChronoUnit.DAYS.getDuration().multipliedBy(2).toNanos();
    private static final List<Step> STEPS = List.of(
            new Step(1, ChronoUnit.MILLIS, "HH:mm:ss.SSS"),
            new Step(10, ChronoUnit.MILLIS, "HH:mm:ss.SSS"),
            new Step(100, ChronoUnit.MILLIS, "HH:mm:ss.SSS"),
            new Step(1, ChronoUnit.SECONDS, "HH:mm:ss"),
            new Step(10, ChronoUnit.SECONDS, "HH:mm:ss"),
            new Step(1, ChronoUnit.MINUTES, "HH:mm"),
            new Step(5, ChronoUnit.MINUTES, "HH:mm"),
            new Step(15, ChronoUnit.MINUTES, "HH:mm"),
            new Step(30, ChronoUnit.MINUTES, "HH:mm"),
            new Step(1, ChronoUnit.HOURS, "HH:mm"),
            new Step(3, ChronoUnit.HOURS, "HH:mm"),
            new Step(6, ChronoUnit.HOURS, "HH:mm"),
            new Step(12, ChronoUnit.HOURS, "HH:mm"),
            new Step(1, ChronoUnit.DAYS, DATE),
            new Step(1, ChronoUnit.WEEKS, DATE),
            new Step(1, ChronoUnit.MONTHS, "MMM yyyy", "d MMM yyyy"),
            new Step(3, ChronoUnit.MONTHS, "MMM yyyy", "d MMM yyyy"),
            new Step(MONTHS, ChronoUnit.MONTHS, "yyyy", "MMM yyyy"),
            new Step(2 * MONTHS, ChronoUnit.MONTHS, "yyyy", "MMM yyyy"),
            new Step(5 * MONTHS, ChronoUnit.MONTHS, "yyyy", "MMM yyyy"),
            new Step(10 * MONTHS, ChronoUnit.MONTHS, "yyyy", "MMM yyyy"),
            new Step(50 * MONTHS, ChronoUnit.MONTHS, "yyyy", "MMM yyyy"));

    private TimeLabels() {}

    /**
     * A distance between two labels.
     *
     * @param amount how many units
     * @param unit months, weeks, days, or a unit of which the amount divides a day
     * @param pattern how a boundary is written
     * @param startPattern how the start of the axis is written if it is not a boundary
     */
    private record Step(int amount, ChronoUnit unit, String pattern, String startPattern) {
        /** A unit of up to a week. At the start of the axis, a time of day is written with its day. */
        Step(int amount, ChronoUnit unit, String pattern) {
            this(amount, unit, pattern, unit.isTimeBased() ? DATE + " " + pattern : pattern);
        }

        /** Returns the length; of months, their average. */
        long nanos() {
            return unit.getDuration().multipliedBy(amount).toNanos();
        }

        boolean isPartOfDay() {
            return unit.isTimeBased();
        }

        /** Returns the first boundary after a time. */
        ZonedDateTime after(ZonedDateTime time) {
            ZonedDateTime day = time.truncatedTo(ChronoUnit.DAYS);
            if (unit == ChronoUnit.MONTHS) {
                long rest = time.getLong(ChronoField.PROLEPTIC_MONTH) % amount;
                return day.withDayOfMonth(1).plusMonths(amount - rest);
            } else if (unit == ChronoUnit.WEEKS) {
                return day.with(TemporalAdjusters.next(DayOfWeek.MONDAY));
            }
            return day.plusNanos((time.getLong(ChronoField.NANO_OF_DAY) / nanos() + 1) * nanos());
        }

        boolean isBoundary(ZonedDateTime time) {
            return after(time.minusNanos(1)).equals(time);
        }
    }

    static Markup of(TimeAxis axis) {
        Step step = step(axis.lengthNanos());
        Svg svg = new Svg();
        List<ZonedDateTime> times = times(axis, step);
        for (int i = 0; i < times.size(); i++) {
            String place = Svg.across(axis.position(Times.nanos(times.get(i))));
            String other = i % 2 == 0 ? "" : " alt"; // left out on narrow pages
            svg.line(place, 0, place, 14, "tick" + other);
            svg.text(place, 13, "tl" + other, label(times.get(i), step, i == 0));
        }
        return svg.image(20, "");
    }

    /** Returns the label of a time. A time of day has its day before it at the start of the axis, and midnight is the day alone. */
    private static String label(ZonedDateTime time, Step step, boolean first) {
        if (!step.isPartOfDay()) {
            return Times.write(time, step.isBoundary(time) ? step.pattern : step.startPattern);
        } else if (time.equals(time.truncatedTo(ChronoUnit.DAYS))) {
            return Times.write(time, DATE);
        }
        return Times.write(time, first ? step.startPattern : step.pattern);
    }

    private static Step step(long length) {
        return STEPS.stream()
                .filter(step -> !step.isPartOfDay() || length <= TWO_DAYS)
                .filter(step -> length / step.nanos() <= (step.isPartOfDay() ? MOST_TIMES : MOST_DAYS))
                .findFirst()
                .orElse(STEPS.get(STEPS.size() - 1));
    }

    /** Returns the start of the axis, unless a boundary of the step follows it closely, and the boundaries of the step. */
    private static List<ZonedDateTime> times(TimeAxis axis, Step step) {
        ZonedDateTime start = Times.at(axis.startNanos());
        ZonedDateTime end = start.plusNanos(axis.lengthNanos());
        List<ZonedDateTime> times = new ArrayList<>(List.of(start));
        double room = step.startPattern.equals(step.pattern) ? WIDEST : 1.6 * WIDEST; // the first label may be longer
        double before = 0;
        for (ZonedDateTime time = step.after(start); time.isBefore(end); time = step.after(time)) {
            double place = axis.position(Times.nanos(time));
            if (place > 1 - WIDEST) {
                break; // it would not fit
            } else if (place - before >= (times.size() == 1 ? room : WIDEST)) {
                times.add(time);
                before = place;
            } else if (before == 0) {
                times.set(0, time);
                before = place;
            }
        }
        return times;
    }
}
