package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void read_columnsInAnyOrder_areFoundByName() throws IOException {
        try (Trace trace = csv("x,id,permits,time\n,a,2,1970-01-01T00:00:01Z\n,b,,2\n,\"c,\"\"d\"\"\",3,3\n,e\n")) {
            assertThat(Logs.events(trace))
                    .containsExactly(
                            new Event(SECOND, "a", 2),
                            new Event(2 * SECOND, "b", 1),
                            new Event(3 * SECOND, "c,\"d\"", 3));
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::number, SkippedLine::reason, SkippedLine::excerpt)
                    .containsExactly(tuple(5L, "no time", ",e"));
        }
    }

    @Test
    void read_keyOfAnyName_isTaken() throws IOException {
        try (Trace trace = Logs.read("tenant id,time\r\nacme,1\r\n", Logs.options("csv", "tenant id"))) {
            assertThat(Logs.events(trace)).containsExactly(new Event(SECOND, "acme", 1));
        }
    }

    @Test
    void read_quotedNewlines_areOneRecord() throws IOException {
        try (Trace trace = csv("time,agent,id\n1,\"a\nb\r\n\n\"\"c\",x\n\n2,d,y\nbad\n")) {
            assertThat(Logs.events(trace)).containsExactly(new Event(SECOND, "x", 1), new Event(2 * SECOND, "y", 1));
            assertThat(trace.firstSkipped()).extracting(SkippedLine::number).containsExactly(8L);
        }
    }

    @Test
    void read_quoteThatIsNeverClosed_skipsItsLineOnly() throws IOException {
        String many = "3,c\n".repeat(30_000);
        try (Trace trace = csv("time,id\n1,a\n2,\"b\n" + many)) {
            assertThat(trace.requests()).isEqualTo(30_001);
            assertThat(trace.firstSkipped())
                    .containsExactly(new SkippedLine(3, "a quote that is not closed within 64 KiB", "2,\"b"));
        }
        try (Trace trace = csv("time,id\n1,a\n2,\"b\n3,c")) {
            assertThat(trace.requests()).isEqualTo(2);
            assertThat(trace.skipped()).isEqualTo(1);
        }
    }

    @Test
    void read_quoteClosedInALaterRecord_skipsItsLineOnly() throws IOException {
        try (Trace trace = csv("time,id\n1,\"b\n2,\"c\"\n3,d\n")) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("c", "d");
            assertThat(trace.firstSkipped()).containsExactly(new SkippedLine(2, "not a csv record", "1,\"b"));
        }
    }

    /** A client must not write requests of others into its own field. */
    @Test
    void read_recordWithoutKey_theLinesOfItsFieldsAreNoRecords() throws IOException {
        String log = "time,ip,agent\n1,-,\"Mozilla\n2,6.6.6.6,x\"\n3,192.0.2.1,y\n";
        try (Trace trace = Logs.read(log, Logs.options("csv", "ip"))) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("192.0.2.1");
            assertThat(trace.skipped()).isOne();
            assertThat(trace.firstSkipped()).extracting(SkippedLine::number).containsExactly(2L);
        }
    }

    @Test
    void read_quoteWithinAField_isText() throws IOException {
        try (Trace trace = csv("time,id\n1,5\"\n2,b\n")) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("5\"", "b");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "x", "9223372036854775808", "0x1", "1 2"})
    void read_permitsBelowOneOrNone_areSkipped(String permits) throws IOException {
        try (Trace trace = csv("time,id,permits\n1,a," + permits + "\n2,b,9223372036854775807\n")) {
            assertThat(Logs.events(trace)).containsExactly(new Event(2 * SECOND, "b", Long.MAX_VALUE));
            assertThat(trace.firstSkipped().get(0).reason()).isEqualTo("permits is not a whole number of at least 1");
        }
    }

    @Test
    void read_headerWithoutTime_reportsWhatItHas() {
        assertThatThrownBy(() -> csv("timestamp,id\n1,a\n"))
                .isInstanceOf(LogException.class)
                .hasMessage(
                        "the csv header has no column 'time', only: timestamp, id; --time-field names the one with the time");
    }

    @Test
    void read_headerWithoutKey_reportsWhatItHas() {
        assertThatThrownBy(() -> csv("time,address\n1,a\n"))
                .isInstanceOf(LogException.class)
                .hasMessage(
                        "the csv header has no column 'id' for the key, only: time, address; --key names another one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"time;ip\n1;192.0.2.1\n", "time\tip\n1\t192.0.2.1\n"})
    void read_otherSeparators_reportsThatOnlyCommasAreRead(String log) {
        for (String format : new String[] {"auto", "csv"}) {
            assertThatThrownBy(() -> Logs.read(log, Logs.options(format, "ip")))
                    .isInstanceOf(LogException.class)
                    .hasMessage("only commas separate the columns of csv, and the header has none: "
                            + log.substring(0, log.indexOf('\n')).replace("\t", "\\t"));
        }
    }

    @Test
    void read_headerWithAColumnTwice_isRefusedIfItIsRead() throws IOException {
        for (String header : new String[] {"time,id,id", "time,time,id", "time,id,permits,permits"}) {
            assertThatThrownBy(() -> csv(header + "\n1,a,b,c\n"))
                    .isInstanceOf(LogException.class)
                    .hasMessageMatching("the csv header has two columns '(id|time|permits)'");
        }
        try (Trace trace = csv("time,id,x,x\n1,a,b,c\n")) {
            assertThat(trace.requests()).isEqualTo(1);
        }
    }

    @Test
    void read_forwardedList_isTheChosenClient() throws IOException {
        String log = "time,ip\n1,\"203.0.113.9, 10.0.0.1\"\n2,198.51.100.7:99\n";
        LogOptions options = LogOptions.builder().client(ClientChoice.first()).build();
        try (Trace trace = Logs.read(log, options)) {
            assertThat(Logs.events(trace)).extracting(Event::key).containsExactly("203.0.113.9", "198.51.100.7");
        }
        try (Trace trace = Logs.read(log, LogOptions.DEFAULT)) {
            assertThat(trace.requests()).isEqualTo(1);
            assertThat(trace.hint()).startsWith("--client first");
        }
    }

    @Test
    void read_addressInAForwardedField_isAListOfOne() throws IOException {
        String log = "time,id\n1,\"203.0.113.9, 10.0.0.1\"\n2,203.0.113.9:99\n3,2001:DB8::9\n4,-\n5,x\n";

        assertThat(chosen(log, "first")).containsExactly("203.0.113.9", "203.0.113.9", "2001:db8::9", "x");
        assertThat(chosen(log, "2-from-right")).containsExactly("203.0.113.9", "x");
    }

    private static List<String> chosen(String log, String client) throws IOException {
        LogOptions options = LogOptions.builder()
                .key("id")
                .client(ClientChoice.parse(client))
                .build();
        try (Trace trace = Logs.read(log, options)) {
            return Logs.events(trace).stream().map(Event::key).toList();
        }
    }

    @Test
    void read_headerAlone_isAnError() {
        assertThatThrownBy(() -> csv("time,id\n\n")).hasMessage("the csv has a header but no records");
        assertThatThrownBy(() -> csv("\n \n")).hasMessage("the log has nothing but blank lines");
    }

    @Test
    void read_headerThatIsNoRecord_isAnError() {
        assertThatThrownBy(() -> csv("\"time\"x,id\n1,a\n"))
                .isInstanceOf(LogException.class)
                .hasMessageStartingWith("the csv header has no column 'time', only: ");
    }

    private static Trace csv(String text) throws IOException {
        return Logs.read(text, Logs.options("csv", "id"));
    }
}
