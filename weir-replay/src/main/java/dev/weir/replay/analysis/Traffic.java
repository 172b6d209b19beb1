package dev.weir.replay.analysis;

import dev.weir.replay.trace.EventConsumer;
import dev.weir.replay.trace.Trace;
import java.io.IOException;

/** The requests of a trace without regard to any limit: their span and number, and how precise their times are. */
public final class Traffic implements EventConsumer {
    private static final long[] UNITS = {1_000_000_000, 1_000_000, 1_000, 1}; // s, ms, us, ns
    private static final long MINUTE = 60_000_000_000L;
    private static final int MINUTES_PER_HOUR = 60;

    private final int keys;
    private long requests;
    private long first;
    private long last;
    private long minutes;
    private long lastMinute = -1;
    private long minutesOfHour; // one bit for each that has requests
    private int unit; // index of the largest unit that divides every time

    private Traffic(int keys) {
        this.keys = keys;
    }

    /** Returns the traffic of a trace, which is read once. */
    static Traffic of(Trace trace) throws IOException {
        Traffic traffic = new Traffic(trace.keys());
        trace.forEach(traffic);
        return traffic;
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        first = requests == 0 ? timeNanos : first;
        last = timeNanos;
        requests++;
        while (timeNanos % UNITS[unit] != 0) {
            unit++;
        }
        long minute = timeNanos / MINUTE;
        if (minute != lastMinute) {
            lastMinute = minute;
            minutes++;
            minutesOfHour |= 1L << minute % MINUTES_PER_HOUR;
        }
    }

    /** Returns the number of requests. */
    public long requests() {
        return requests;
    }

    /** Returns the number of keys with requests. */
    public int keys() {
        return keys;
    }

    /** Returns the time of the first request. */
    public long firstNanos() {
        return first;
    }

    /** Returns the time of the last request. */
    public long lastNanos() {
        return last;
    }

    /** Returns the precision of the times in nanoseconds: a second, millisecond, microsecond or nanosecond. */
    public long unitNanos() {
        return UNITS[unit];
    }

    /** Returns the number of clock minutes with requests. */
    public long minutesWithRequests() {
        return minutes;
    }

    /** Returns the number of clock minutes from the first request to the last. */
    public long minutes() {
        return last / MINUTE - first / MINUTE + 1;
    }

    /** Returns whether all requests fall in the same minute of their hours. */
    public boolean isInOneMinuteOfEachHour() {
        return Long.bitCount(minutesOfHour) == 1 && minutes > 1;
    }
}
