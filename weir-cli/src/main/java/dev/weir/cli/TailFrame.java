package dev.weir.cli;

import dev.weir.replay.ReplayResult.DeniedKey;
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
        List<Row> rows,
        boolean lastMinute) {
    /**
     * One limit.
     *
     * @param limit the limit as text
     * @param allowed the number of requests allowed so far
     * @param denied the number of requests denied so far
     * @param top the keys that were denied most, most denied first
     */
    record Row(String limit, long allowed, long denied, List<DeniedKey> top) {}

    /** Returns the same with the counts since an earlier frame. Limits that were not in it are counted from zero. */
    TailFrame since(TailFrame earlier) {
        List<Row> difference = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            Row before = i < earlier.rows.size() ? earlier.rows.get(i) : new Row(row.limit, 0, 0, List.of());
            difference.add(new Row(row.limit, row.allowed - before.allowed, row.denied - before.denied, row.top));
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
