package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static final int MAX = LineReader.MAX_LINE;

    @Test
    void next_everyKindOfLineEnd_givesTheLines() throws IOException {
        assertThat(lines("a\nbc\r\n\nd\r\r\n\ne")).containsExactly("a", "bc", "", "d\r", "", "e");
        assertThat(lines("a\n")).containsExactly("a");
        assertThat(lines("\n")).containsExactly("");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void next_linesThatCrossTheBuffer_areWhole() throws IOException {
        Random random = new Random(7);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            expected.add((i + "x").repeat(random.nextInt(1500)));
        }

        assertThat(lines(String.join("\n", expected) + "\n")).isEqualTo(expected);
    }

    @Test
    void next_longestLine_isNotTooLong() throws IOException {
        LineReader lines = reader("x".repeat(MAX) + "\ny");

        assertThat(lines.next()).isTrue();
        assertThat(lines.tooLong()).isFalse();
        assertThat(text(lines)).hasSize(MAX);
    }

    @Test
    void next_lineOneLonger_keepsItsBeginningAndGoesOn() throws IOException {
        for (String rest : new String[] {"x", "x".repeat(300_000), "x".repeat(5 * MAX)}) {
            for (String before : new String[] {"", "y\n".repeat(120_000)}) {
                LineReader lines = reader(before + "z".repeat(MAX) + rest + "\nend");
                for (int i = 0; i < before.length() / 2; i++) {
                    lines.next();
                }

                assertThat(lines.next()).isTrue();
                assertThat(lines.tooLong()).isTrue();
                assertThat(text(lines)).isEqualTo("z".repeat(MAX));
                assertThat(lines.number()).isEqualTo(before.length() / 2 + 1L);
                assertThat(lines.next()).isTrue();
                assertThat(lines.tooLong()).isFalse();
                assertThat(text(lines)).isEqualTo("end");
                assertThat(lines.next()).isFalse();
            }
        }
    }

    @Test
    void next_longLineWithoutEnd_isTheLast() throws IOException {
        LineReader lines = reader("z".repeat(MAX * 6));

        assertThat(lines.next()).isTrue();
        assertThat(lines.tooLong()).isTrue();
        assertThat(lines.next()).isFalse();
    }

    @Test
    void extend_manyLines_joinsThem() throws IOException {
        LineReader lines = reader("a\r\nb\nc\nd");
        lines.next();

        assertThat(lines.extend()).isTrue();
        assertThat(text(lines)).isEqualTo("a\r\nb");
        assertThat(lines.extend()).isTrue();
        assertThat(text(lines)).isEqualTo("a\r\nb\nc");
        assertThat(lines.number()).isEqualTo(1);
        lines.next();
        assertThat(text(lines)).isEqualTo("d");
        assertThat(lines.number()).isEqualTo(4);
        assertThat(lines.extend()).isFalse();
    }

    @Test
    void extend_lastLineWithoutNewline_isJoined() throws IOException {
        LineReader lines = reader("a\nb");
        lines.next();

        assertThat(lines.extend()).isTrue();
        assertThat(text(lines)).isEqualTo("a\nb");
        assertThat(lines.extend()).isFalse();
        assertThat(lines.next()).isFalse();
    }

    @Test
    void retract_extendedLine_givesTheLinesAgain() throws IOException {
        String filler = "f".repeat(1000) + "\n";
        LineReader lines = reader(filler.repeat(240) + "a\n" + filler.repeat(30) + "end"); // moves in the buffer
        for (int i = 0; i < 241; i++) {
            lines.next();
        }
        for (int i = 0; i < 30; i++) {
            assertThat(lines.extend()).isTrue();
        }

        lines.retract();

        assertThat(text(lines)).isEqualTo("a");
        assertThat(lines.number()).isEqualTo(241);
        lines.next();
        assertThat(text(lines)).isEqualTo(filler.strip());
        assertThat(lines.number()).isEqualTo(242);
    }

    @Test
    void extend_tooMuch_isRefused() throws IOException {
        LineReader lines = reader("a\n" + "b".repeat(MAX) + "\nc");
        lines.next();

        assertThat(lines.extend()).isFalse();
        assertThat(text(lines)).isEqualTo("a");
        lines.next();
        assertThat(text(lines)).isEqualTo("b".repeat(MAX));
    }

    @Test
    void extend_afterOneThatFailed_searchesOtherLines() throws IOException {
        int count = 100_000;
        LineReader lines = reader("ab\n".repeat(count));
        long extended = 0;
        while (lines.next()) {
            while (lines.extend()) {
                extended++;
            }
            lines.retract();
        }
        assertThat(extended).isBetween(count / 2L, 3L * count);
    }

    private static List<String> lines(String text) throws IOException {
        List<String> found = new ArrayList<>();
        LineReader lines = reader(text);
        while (lines.next()) {
            found.add(text(lines));
            assertThat(lines.number()).isEqualTo(found.size());
        }
        return found;
    }

    private static String text(LineReader lines) {
        return new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8);
    }

    /** Gives odd pieces, as a network does. */
    private static LineReader reader(String text) {
        Random random = new Random(text.length());
        InputStream pieces = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 1 + random.nextInt(100_000)));
            }
        };
        return new LineReader(pieces);
    }
}
