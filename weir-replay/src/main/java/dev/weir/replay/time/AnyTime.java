package dev.weir.replay.time;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time in any of the formats that need no pattern: ISO 8601, a number since the epoch, the common log format, or that of BSD
 * syslog.
 */
public final class AnyTime implements TimeParser {
    private final TimeParser dated = new DatedTime();
    private final TimeParser epoch = new EpochTime();
    private final TimeParser syslog;

    /**
     * Creates a parser.
     *
     * @param year the year of the first time, for times without a year; null if it is not given
     * @param written when the log was last written, which gives that year otherwise; null if that is unknown
     */
    public AnyTime(@Nullable Integer year, @Nullable Instant written) {
        syslog = new SyslogTime(year, written);
    }

    @Override
    public long parse(byte[] text, int from, int to) {
        if (SyslogTime.looksLike(text, from, to)) {
            return syslog.parse(text, from, to);
        }
        long time = dated.parse(text, from, to);
        return time == NOT_A_TIME ? epoch.parse(text, from, to) : time;
    }
}
