package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.replay.Replay;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.format.LogReader;
import dev.weir.replay.generate.LogGenerator;
import dev.weir.replay.report.Report;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page that {@code weir replay --report} writes, opened from a file. */
final class ReportInBrowserTest {
    @TempDir
    private Path directory;

    private Path report() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        new LogGenerator(2_000, 1, 80).writeTo(log, done -> {});
        List<Limit> limits =
                Stream.of("60/1m", "fixed-window 60/1m").map(Limit::parse).toList();
        try (Trace trace =
                LogReader.read(new ByteArrayInputStream(log.toByteArray()), LogOptions.DEFAULT, done -> {})) {
            Report report = Report.of(
                    trace,
                    Replay.record(trace, limits, done -> {}),
                    new Report.Source("a.log", "ip", "weir replay a.log"),
                    done -> {});
            return Files.writeString(directory.resolve("report.html"), report.html());
        }
    }

    @Test
    void report_inForcedColoursAndOnAPhone_showsWhatIsChosen() throws IOException {
        String address = report().toUri().toString();
        try (Browser browser = new Browser()) {
            browser.open(address);
            browser.forcedColours("dark");
            assertThat(outline(browser, "true")).isEqualTo("solid");
            assertThat(outline(browser, "false")).isEqualTo("none");
            browser.screenshot("report-forced");
            browser.media("light");
            browser.phone();
            assertThat(browser.is("[...document.querySelectorAll('.tax .alt')]"
                            + ".every(e => getComputedStyle(e).display === 'none')"))
                    .isTrue();
            // the slider says its value, so nothing else announces it a second time
            assertThat(browser.all("[aria-live], [role=status]")).isEmpty();
            // a number on a bar of its own colour has an edge
            assertThat((String) browser.value("[...document.styleSheets[0].cssRules]"
                            + ".find(rule => rule.selectorText === '.clip').style.paintOrder"))
                    .startsWith("stroke");
        }
    }

    private static Object outline(Browser browser, String pressed) {
        return browser.value(
                "getComputedStyle(document.querySelector('.sg[aria-pressed=' + arguments[0] + ']')).outlineStyle",
                pressed);
    }

    @Test
    void report_opensOffline_andItsSliderShowsTheFiguresOfALimit() throws IOException {
        String address = report().toUri().toString();
        try (Browser browser = new Browser()) {
            browser.open(address);
            assertThat(browser.text(".step:not([hidden])")).contains("/1m denies");
            assertThat(browser.all(".step:not([hidden])")).hasSize(1);
            String first = browser.text(".step:not([hidden])");

            browser.click("#n");
            browser.press(Keys.HOME);
            String lowest = browser.text(".step:not([hidden])");
            browser.press(Keys.END);
            String highest = browser.text(".step:not([hidden])");

            assertThat(List.of(first, lowest, highest)).doesNotHaveDuplicates();
            assertThat(lowest).contains("denies").isNotEqualTo(highest);
            browser.screenshot("report-light");
            browser.media("dark");
            browser.screenshot("report-dark");
            browser.phone();
            assertThat(browser.scrollsSideways()).isFalse();
            browser.screenshot("report-phone");
            assertThat(browser.value("performance.getEntriesByType('resource').length"))
                    .isEqualTo(0L);
            assertThat(browser.console()).isEmpty();
        }
    }
}
