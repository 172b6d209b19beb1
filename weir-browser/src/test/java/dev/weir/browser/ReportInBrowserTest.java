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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page that {@code weir replay --report} writes, opened from a file. */
final class ReportInBrowserTest extends BrowserTest {
    @TempDir
    private Path directory;

    private Path report() throws IOException {
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        new LogGenerator(2_000, 1, 80).writeTo(log, done -> {});
        return report(log.toByteArray(), "60/1m", "fixed-window 60/1m");
    }

    private Path report(byte[] log, String... texts) throws IOException {
        List<Limit> limits = Stream.of(texts).map(Limit::parse).toList();
        try (Trace trace = LogReader.read(new ByteArrayInputStream(log), LogOptions.DEFAULT, done -> {})) {
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
        browser.open(address);
        browser.forcedColours("dark");
        assertThat(outline("true")).isEqualTo("solid");
        assertThat(outline("false")).isEqualTo("none");
        browser.screenshot("report-forced");
        browser.media("light");
        assertThat(Contrast.of(browser, "borderTopColor of .sg[aria-pressed=false]"))
                .allMatch(contrast -> contrast >= 3);
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

    @Test
    void report_marksAndControls_canBeSeen() throws IOException {
        String log = IntStream.of(3, 3, 3, 5, 5, 6, 6, 6, 6, 6, 6, 6) // seconds; a fixed window allows 7 within 3 s
                .mapToObj(second -> "{\"time\":" + second + ",\"ip\":\"10.0.0.1\"}\n")
                .collect(Collectors.joining());
        String address = report(log.getBytes(StandardCharsets.UTF_8), "5/3s", "fixed-window 5/3s")
                .toUri()
                .toString();
        browser.open(address);
        for (String theme : List.of("light", "dark")) {
            browser.media(theme);
            assertThat(Contrast.of(
                            browser,
                            "stroke of .out",
                            "fill of .unit .a:not(.out) on fill of .win",
                            "fill of .unit .a:not(.out) on fill of .overwin",
                            "stroke of .unit .hollow on fill of .win",
                            "stroke of .base"))
                    .as(theme)
                    .allMatch(contrast -> contrast >= 3);
            browser.screenshot("report-squares-" + theme);
        }
    }

    @Test
    void report_ofManyLimits_saysWhichAreShown_alsoOnAPhone() throws IOException {
        String log = "{\"time\":1,\"ip\":\"10.0.0.1\"}\n".repeat(9);
        String[] limits = IntStream.rangeClosed(1, 7).mapToObj(i -> i + "/1m").toArray(String[]::new);
        String address =
                report(log.getBytes(StandardCharsets.UTF_8), limits).toUri().toString();
        browser.open(address);
        assertThat(browser.text("[aria-labelledby=h4] p"))
                .endsWith(" Of the 7 limits, only the first 5 are shown here.");
        browser.screenshot("report-many-limits");
        browser.size(360, 800);
        assertThat(browser.value("getComputedStyle(document.querySelector('.who .den'), '::before').content"))
                .isEqualTo("\"denied, log\u00a01\"");
        assertThat(browser.scrollsSideways()).isFalse();
        browser.screenshot("report-many-limits-360");
    }

    private static Object outline(String pressed) {
        return browser.value(
                "getComputedStyle(document.querySelector('.sg[aria-pressed=' + arguments[0] + ']')).outlineStyle",
                pressed);
    }

    @Test
    void report_opensOffline_andItsSliderShowsTheFiguresOfALimit() throws IOException {
        String address = report().toUri().toString();
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
