package dev.weir.replay.generate;

/** How busy a site is over the day and the week: quiet at night, busy at noon and in the evening, less on weekends. */
final class DailyRhythm {
    private static final int HOUR = 3_600_000; // ms
    private static final int[] PERCENT_BY_HOUR = {
        30, 20, 14, 10, 9, 11, 20, 38, 60, 80, 92, 98, 100, 97, 95, 94, 92, 90, 88, 92, 96, 88, 68, 46
    };
    private static final int WEEKEND_PERCENT = 70;

    private DailyRhythm() {}

    /** Returns the mean over the given number of days, in percent of the busiest hour. */
    static int meanPercent(int days) {
        int sum = 0;
        for (int hour = 0; hour < days * 24; hour++) {
            sum += percent((long) hour * HOUR);
        }
        return sum / (days * 24);
    }

    /** Returns the percent of the busiest hour at a time since the Monday on which the log begins; from hour to hour in a line. */
    static int percent(long millis) {
        int hour = (int) (millis / HOUR % 24);
        int next = PERCENT_BY_HOUR[(hour + 1) % 24];
        int percent = PERCENT_BY_HOUR[hour] + (int) ((next - PERCENT_BY_HOUR[hour]) * (millis % HOUR) / HOUR);
        boolean weekend = millis / HOUR / 24 % 7 >= 5;
        return weekend ? percent * WEEKEND_PERCENT / 100 : percent;
    }
}
