package dev.weir.replay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.replay.Replay;
import dev.weir.replay.format.Logs;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sentences of a report that depend on the limits and on when what happened. */
final class SectionsTest {
    private static String html(String csv, String... limits) throws IOException {
        List<Limit> parsed = Stream.of(limits).map(Limit::parse).toList();
        try (Trace trace = Logs.read("time,id\n" + csv, Logs.BY_ID)) {
            Report.Source source = new Report.Source("a.csv", "ip", "weir replay a.csv");
            return Report.of(trace, Replay.record(trace, parsed, done -> {}), source, done -> {})
                    .html();
        }
    }

    @Test
    void worst_windowOfADay_namesTheDayOnceWithItsTime() throws IOException {
        String day = "5/1d";

        assertThat(html("2026-03-02T10:00:02Z,a\n".repeat(7), day, "fixed-window " + day))
                .contains("</bdi>, 2 Mar 10:00.")
                .doesNotContain("2 Mar 2 Mar");
    }

    @Test
    void worst_otherClientAtTheSameMoment_isNotCalledTheSame() throws IOException {
        String same = "The same client at the same moment";
        String log = "0,b\n2,b\n4,b\n4,a\n4,a\n";

        assertThat(html(log, "2/1s", "fixed-window 3/10s")).doesNotContain(same);
        assertThat(html("0,b\n2,b\n4,b\n", "3/10s", "fixed-window 3/10s")).contains(same);
    }

    @Test
    void delays_none_haveNoLongest() throws IOException {
        assertThat(html("0,a\n1,a\n", "leaky-bucket 100/1s"))
                .contains("<b>0</b> delayed<")
                .doesNotContain("delayed, up to");
        assertThat(html("0,a\n0,a\n", "leaky-bucket 100/1s")).contains("<b>1</b> delayed, up to 10\u00a0ms");
    }
}
