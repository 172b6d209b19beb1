package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.replay.trace.LogException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogInputTest {
    @Test
    void open_plainOrPacked_givesTheText() throws IOException {
        for (String text : new String[] {"a", "ab", "abc", "a\nb\n".repeat(100_000)}) {
            assertThat(open(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
            assertThat(open(Logs.gzip(text))).isEqualTo(text);
        }
    }

    @Test
    void open_byteOrderMark_isDropped() throws IOException {
        assertThat(open("\uFEFFtime,ip".getBytes(StandardCharsets.UTF_8))).isEqualTo("time,ip");
        assertThat(open(Logs.gzip("\uFEFFtime,ip"))).isEqualTo("time,ip");
    }

    @Test
    void open_zerosAtTheStart_areDropped() throws IOException {
        for (int zeros : new int[] {1, 6, 1 << 16, 200_000}) {
            String hole = "\0".repeat(zeros);

            assertThat(open((hole + "a\0b\n").getBytes(StandardCharsets.UTF_8))).isEqualTo("a\0b\n");
            assertThat(open(Logs.gzip(hole + "\uFEFFa\n"))).isEqualTo("a\n");
            assertThatThrownBy(() -> open(new byte[zeros])).hasMessage("the log is empty");
        }
    }

    @Test
    void open_severalMembersFromAPipe_areAllRead() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(Logs.gzip("one\n"));
        both.writeBytes(Logs.gzip("two\n"));
        InputStream pipe = new ByteArrayInputStream(both.toByteArray()) {
            @Override
            public synchronized int available() {
                return 0;
            }
        };

        assertThat(LogInput.open(pipe, done -> {}).readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("one\ntwo\n");
    }

    @Test
    void open_empty_isAnError() {
        assertThatThrownBy(() -> open(new byte[0]))
                .isInstanceOf(LogException.class)
                .hasMessage("the log is empty");
        assertThatThrownBy(() -> open(Logs.gzip("")))
                .isInstanceOf(LogException.class)
                .hasMessage("the log is empty");
    }

    @Test
    void open_gzipCutAnywhere_isAnError() {
        byte[] whole = Logs.gzip("line\n".repeat(1000));
        for (int length = 2; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);

            assertThatThrownBy(() -> open(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(LogException.class)
                    .hasMessage("the gzip data ends too early; was the file cut off?");
        }
    }

    /** One byte at a time is what a pipe gives at worst: nothing that follows is in the buffer of the unpacker then. */
    @Test
    void open_textAfterGzip_isAnErrorAndNotIgnored() {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(Logs.gzip("one\n"));
        both.writeBytes("two\n".getBytes(StandardCharsets.UTF_8));
        InputStream pipe = new ByteArrayInputStream(both.toByteArray()) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(length, 1));
            }
        };

        for (InputStream in : List.of(new ByteArrayInputStream(both.toByteArray()), pipe)) {
            assertThatThrownBy(() -> LogInput.open(in, done -> {}).readAllBytes())
                    .isInstanceOf(LogException.class)
                    .hasMessage(
                            "the gzip data is followed by other data; unpack files before joining them, such as with"
                                    + " gzip -cdf");
        }
    }

    @Test
    void open_gzipPaddedWithZeros_isRead() throws IOException {
        byte[] packed = Logs.gzip("one\n");
        for (int zeros : new int[] {1, 2, 3, 512, 100_000}) {
            byte[] padded = Arrays.copyOf(packed, packed.length + zeros);
            assertThat(open(padded)).isEqualTo("one\n");
            byte[] more = Arrays.copyOf(padded, padded.length + 1);
            more[padded.length] = 'x';
            assertThatThrownBy(() -> open(more)).hasMessageContaining("followed by other data");
        }
    }

    @Test
    void open_gzipDamagedAnywhere_isReadOrAnError() {
        byte[] whole = Logs.gzip("line\n".repeat(1000));
        for (int at = 2; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x55;
            try {
                open(damaged);
            } catch (LogException expected) {
                assertThat(expected).hasMessageStartingWith("the gzip data ");
            } catch (IOException e) {
                throw new AssertionError("at " + at, e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"xz,fd377a585a00", "zstd,28b52ffd04", "bzip2,425a6839", "zip,504b0304"})
    void open_otherPacking_isNamed(String packer, String magic) {
        byte[] bytes = java.util.HexFormat.of().parseHex(magic);

        assertThatThrownBy(() -> open(bytes))
                .isInstanceOf(LogException.class)
                .hasMessage("the log is packed by " + packer + "; only gzip is unpacked here, so unpack it first");
    }

    @Test
    void open_utf16_isNamed() {
        for (String charset : new String[] {"UTF-16", "UTF-16LE"}) {
            byte[] bytes = (charset.equals("UTF-16LE") ? "\uFEFFtime" : "time")
                    .getBytes(java.nio.charset.Charset.forName(charset));

            assertThatThrownBy(() -> open(bytes)).hasMessage("the log is UTF-16 text; convert it to UTF-8 first");
        }
    }

    @Test
    void open_progress_isTheBytesTaken() throws IOException {
        List<Long> reported = new ArrayList<>();
        byte[] packed = Logs.gzip("line\n".repeat(100_000));

        LogInput.open(new ByteArrayInputStream(packed), reported::add).readAllBytes();

        assertThat(reported).isSorted().endsWith((long) packed.length);
    }

    private static String open(byte[] bytes) throws IOException {
        return new String(
                LogInput.open(new ByteArrayInputStream(bytes), done -> {}).readAllBytes(), StandardCharsets.UTF_8);
    }
}
