package dev.weir.benchmarks.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import dev.weir.benchmarks.report.Progress;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class PromiseBenchmarkTest {
    private static final Progress QUIET =
            new Progress(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), false);

    @Test
    void run_withoutServer_reportsAllInVirtualTime() throws Exception {
        Report report = new PromiseBenchmark(Path.of("../examples/access.log"), Effort.SMOKE, QUIET).run("header");

        assertThat(report.sections()).extracting(Section::name).containsExactly("promise", "promise-configuration");
        String tables = report.sections().get(0).text();
        assertThat(tables).startsWith("header\n").contains("2,000 requests");
        for (Subject subject : Subject.inMemory()) {
            assertThat(tables.split("\\| " + subject.title + " +\\|", -1)).hasSize(4);
        }
        assertThat(report.json().lines()).hasSize(3 * Subject.inMemory().size());
        assertThat(report.json())
                .contains("{\"limiter\":\"Weir sliding-log 100/1m\"")
                .contains("\"traffic\":\"full demand\"");
        assertThat(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(report.picture())))
                        .getElementsByTagName("rect")
                        .getLength())
                .isEqualTo(3 + 3 * Subject.inMemory().size());
    }

    @Test
    void run_fileThatIsNoLog_saysSo(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("empty.log"), "");

        assertThatThrownBy(() -> new PromiseBenchmark(file, Effort.SMOKE, QUIET).run("header"))
                .isInstanceOf(FailedMeasureException.class)
                .hasMessage("cannot use the log " + file + ": the log is empty");
    }

    /** A minute of traffic is played in a second, and a pause without requests is cut. */
    @Test
    void inRealTime_twoBursts_areAMinuteApart() {
        long second = 1_000_000_000;
        Traffic traffic = Traffic.ofOneClient("test", "test", LongStream.of(0, 1, 3_600 * second));
        long began = System.nanoTime(); // the first call may be late, and the last one on time
        long[] last = {began};
        IntPredicate limiter = client -> {
            last[0] = System.nanoTime();
            return true;
        };

        assertThat(Player.inRealTime(traffic, List.of(limiter, client -> false)))
                .satisfiesExactly(
                        all -> assertThat(all.granted()).isEqualTo(3),
                        none -> assertThat(none.wronglyDenied()).isEqualTo(3));
        assertThat(last[0] - began).isBetween(second, 30 * second);
    }
}
