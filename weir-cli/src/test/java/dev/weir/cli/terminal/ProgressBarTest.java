package dev.weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgressBarTest {
    private static final long SECOND = 1_000_000_000;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long now = 5;

    private ProgressBar bar(
            boolean watched, int columns, Charset charset, long total, Map<String, String> environment) {
        Shell shell = new Shell(
                InputStream.nullInputStream(),
                new Stdout(OutputStream.nullOutputStream(), false),
                err,
                false,
                watched,
                () -> new TerminalSize(Integer.MAX_VALUE, columns),
                charset,
                environment);
        return new ProgressBar(shell, "reading", total, () -> now);
    }

    private ProgressBar bar(int columns, long total) {
        return bar(true, columns, StandardCharsets.US_ASCII, total, Map.of("NO_COLOR", "1"));
    }

    private String drawn() {
        String drawn = err.toString(StandardCharsets.UTF_8);
        err.reset();
        return drawn;
    }

    @Test
    void bar_fillsUpAndIsErased() {
        ProgressBar bar = bar(25, 200);
        assertThat(drawn()).isEqualTo("\rreading -----------   0%");

        now += SECOND / 10;
        bar.advanced(100);
        assertThat(drawn()).isEqualTo("\rreading #####------  50%");

        now += SECOND / 10;
        bar.advanced(200);
        assertThat(drawn()).isEqualTo("\rreading ########### 100%");

        bar.close();
        assertThat(drawn()).isEqualTo("\r                        \r");

        bar.close();
        assertThat(drawn()).isEmpty();
    }

    @Test
    void advanced_oftenerThanTenTimesASecond_drawsNothing() {
        ProgressBar bar = bar(80, 200);
        drawn();

        now += SECOND / 10 - 1;
        bar.advanced(100);

        assertThat(drawn()).isEmpty();
    }

    @Test
    void advanced_after2Seconds_guessesWhatIsLeft() {
        ProgressBar bar = bar(60, 100);
        drawn();

        now += 30 * SECOND;
        bar.advanced(25);

        assertThat(drawn()).endsWith("  25%  1 m 30 s left");
    }

    @Test
    void advanced_totalUnknown_countsInstead() {
        ProgressBar bar = bar(80, 0);

        now += SECOND;
        bar.advanced(1_234_567);

        assertThat(drawn()).endsWith("\rreading 1,234,567");
    }

    @Test
    void advanced_beyondTotal_staysFull() {
        ProgressBar bar = bar(80, 10);

        now += SECOND;
        bar.advanced(20);

        assertThat(drawn()).endsWith("# 100%");
    }

    @Test
    void bar_otherDigitsInLocale_areNotUsed() {
        Locale usual = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            bar(25, 200);

            assertThat(drawn()).endsWith("   0%");
        } finally {
            Locale.setDefault(usual);
        }
    }

    @Test
    void bar_shorterLine_coversTheLongerOne() {
        ProgressBar bar = bar(80, 100);
        now += 100 * SECOND;
        bar.advanced(1);
        String longer = drawn();
        now += SECOND;

        bar.advanced(100);

        assertThat(drawn()).hasSizeGreaterThanOrEqualTo(longer.length() - longer.lastIndexOf('\r'));
    }

    @Test
    void bar_narrowTerminal_staysOnItsLine() {
        ProgressBar bar = bar(20, 100);
        now += 100 * SECOND;
        bar.advanced(1);

        assertThat(drawn().split("\r", -1)).allSatisfy(line -> assertThat(line).hasSizeLessThan(20));
    }

    @Test
    void bar_coloursAndUnicode_areUsed() {
        bar(true, 40, StandardCharsets.UTF_8, 9, Map.of());

        assertThat(drawn()).contains("\u001b[2m────");
    }

    @Test
    void bar_noTerminal_drawsNothing() {
        ProgressBar unwatched = bar(false, 80, StandardCharsets.UTF_8, 9, Map.of());
        ProgressBar dumb = bar(true, 80, StandardCharsets.UTF_8, 9, Map.of("TERM", "dumb"));
        now += SECOND;
        unwatched.advanced(5);
        dumb.advanced(5);
        unwatched.close();
        dumb.close();

        assertThat(drawn()).isEmpty();
    }
}
