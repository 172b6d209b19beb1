package dev.weir.cli;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What limits decided up to an instant.
 *
 * @param time the instant
 * @param requests the number of requests so far
 * @param late those of them that were dated before an earlier one
 * @param skipped the number of lines that were skipped so far
 * @param note why the latest line was skipped; empty if none was
 * @param lost why nothing is received now; empty if that is not so
 * @param rows the limits
 * @param lastMinute whether the keys that were denied most are those of the last minute, as a server lists them
 */
record TailFrame(
        Instant time,
        long requests,
        long late,
        long skipped,
        String note,
        String lost,
        List<LimitCounts> rows,
        boolean lastMinute) {
    /** Returns the same with the counts since an earlier frame. Limits that were not in it are counted from zero. */
    TailFrame since(TailFrame earlier) {
        List<LimitCounts> difference = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            LimitCounts row = rows.get(i);
            difference.add(
                    i < earlier.rows.size()
                            ? row.plus(
                                    -earlier.rows.get(i).allowed(),
                                    -earlier.rows.get(i).denied())
                            : row);
        }
        return new TailFrame(
                time,
                requests - earlier.requests,
                late - earlier.late,
                skipped - earlier.skipped,
                note,
                lost,
                difference,
                lastMinute);
    }
}
