package dev.weir.replay.report;

import dev.weir.replay.analysis.TimeAxis;
import java.util.ArrayList;
import java.util.List;

/** The labels under a time axis: days, or times of day if the axis is shorter than two days. */
final class TimeLabels {
    private static final long MINUTE = 60_000_000_000L;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final String DATE = "EEE d MMM";
    private static final int MOST_TIMES = 6;
    private static final int MOST_DAYS = 8;
    private static final double WIDEST = 0.09; // of the width: a label does not begin later than this before the end
    private static final long[] STEPS = {
        1_000_000,
        10_000_000,
        100_000_000,
        1_000_000_000,
        10_000_000_000L,
        MINUTE,
        5 * MINUTE,
        15 * MINUTE,
        30 * MINUTE,
        HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
        7 * DAY,
        30 * DAY,
        365 * DAY
    };

    private TimeLabels() {}

    static Markup of(TimeAxis axis) {
        long length = axis.lengthNanos();
        long step = step(length);
        Svg svg = new Svg();
        String pattern = pattern(step);
        List<Long> times = times(axis, length, step);
        for (int i = 0; i < times.size(); i++) {
            String place = Svg.across(axis.position(times.get(i)));
            svg.line(place, 0, place, 14, "tick");
            svg.text(place, 13, i % 2 == 0 ? "tl" : "tl alt", label(times.get(i), pattern, i == 0));
        }
        return svg.image(20, "");
    }

    /** A time of day has its day before it at the beginning of the axis, and midnight is the day alone. */
    private static String label(long time, String pattern, boolean first) {
        if (!pattern.startsWith("HH")) {
            return Times.write(time, pattern);
        } else if (time % DAY == 0) {
            return Times.write(time, DATE);
        }
        return Times.write(time, first ? DATE + " " + pattern : pattern);
    }

    private static long step(long length) {
        for (long step : STEPS) {
            if (length / step <= (step < DAY ? MOST_TIMES : MOST_DAYS) && (step >= DAY || length <= 2 * DAY)) {
                return step;
            }
        }
        return 50 * STEPS[STEPS.length - 1];
    }

    private static String pattern(long step) {
        return step < 1_000_000_000
                ? "HH:mm:ss.SSS"
                : step < MINUTE ? "HH:mm:ss" : step < DAY ? "HH:mm" : step < 300 * DAY ? DATE : "yyyy";
    }

    /** The start of the axis, unless a multiple of the step follows it closely, and the multiples of the step. */
    private static List<Long> times(TimeAxis axis, long length, long step) {
        List<Long> times = new ArrayList<>(List.of(axis.startNanos()));
        double room = step < DAY ? 1.6 * WIDEST : WIDEST; // the first label may contain the day
        long last = (axis.startNanos() + length - 1) / step;
        for (long multiple = axis.startNanos() / step + 1; multiple <= last; multiple++) {
            double place = axis.position(multiple * step);
            double before = axis.position(times.get(times.size() - 1));
            if (place <= 1 - WIDEST && place - before >= (times.size() == 1 ? room : WIDEST)) {
                times.add(multiple * step);
            } else if (before == 0) {
                times.set(0, multiple * step);
            }
        }
        return times;
    }
}
