package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VerifyCommandTest {
    private static final String HEADER = "time_nanos,key,permits,allowed\n";
    private static final String BROKEN = "0,ann,1,1\n500,bob,2,1\n999,ann,2,1\n999,ann,1,0\n";

    @TempDir
    private Path directory;

    private static Run verify(String limit, String trace) {
        return new Run.Setup().stdin(trace).weir("verify", "--limit", limit, "-");
    }

    @Test
    void verify_kept_holds() {
        assertThat(verify("3/1us", BROKEN).answer()).isEqualTo("holds: sliding-log 3/1us, in 4 events of 2 keys\n");
        assertThat(verify("1/1us", "7,a,1,1\n").answer()).isEqualTo("holds: sliding-log 1/1us, in 1 event of 1 key\n");
    }

    @Test
    void verify_broken_showsWhere() {
        Run run = verify("2/1us", BROKEN);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .isEqualTo("broken: sliding-log 2/1us, by key ann: 3 permits from 0 to 999 ns,"
                        + " at most 2 allowed (in a window)\n");
    }

    /** A script must not take it for a limit that holds. */
    @Test
    void verify_brokenAndNobodyReads_exitCodeSaysSo() {
        Run run = new Run.Setup()
                .stdin(BROKEN)
                .stdout(Run.failing("Broken pipe"))
                .weir("verify", "--limit", "2/1us", "-");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void verify_otherAlgorithm_testsItsOwnBound() {
        String twice = "999,a,2,1\n1000,a,2,1\n";

        assertThat(verify("2/1us", twice).code()).isEqualTo(1);
        assertThat(verify("fixed-window 2/1us", twice).code()).isZero();
        assertThat(verify("token-bucket 2/1us", twice).code()).isEqualTo(1);
        assertThat(verify("token-bucket 2/1us burst=4", twice).code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                HEADER + "0,a,1,1\n",
                "Time_Nanos, key ,PERMITS,allowed\n0,a,1,1",
                "\ufeff" + HEADER + "0,a,1,1\n",
                "\n\n0,a,1,1\n\n",
                "0,a,1,1\r\n",
                " 0 ,a, 1 , TRUE \n",
                "0,\"a\",1,true\n",
                "-9223372036854775808,a,9223372036854775807,0\n"
            })
    void verify_writtenOtherwise_isRead(String trace) {
        assertThat(verify("1/1s", trace).answer()).isEqualTo("holds: sliding-log 1/1s, in 1 event of 1 key\n");
    }

    @Test
    void verify_quotedKey_isOneKey() {
        Run run = verify("1/1s", HEADER + "1,\"a,\"\"b\"\"\n\",1,1\n2,\"a,\"\"b\"\"\n\",1,true\n");

        assertThat(run.out()).contains("by key a,\"b\"\\x0a: 2 permits from 1 to 2 ns");
    }

    @Test
    void verify_anyOrderAndRefunds_isSorted() {
        assertThat(verify("1/1s", "5,a,1,1\n0,a,1,-1\n0,a,1,1\n").code()).isZero();
        assertThat(verify("1/1s", "5,a,1,1\n5,a,1,-1\n0,a,1,1\n1,a,1,1\n").code())
                .isEqualTo(1);
    }

    @Test
    void verify_moreRefundedThanGranted_isRefused() {
        assertThat(verify("1/1s", "0,a,1,1\n0,a,2,-1\n").complaint())
                .startsWith("standard input: key 'a': the permits refunded at 0 exceed those granted by 1");
    }

    @Test
    void verify_morePermitsThanNumbers_isRefused() {
        String most = "0,a," + Long.MAX_VALUE + ",1\n";

        assertThat(verify("1/1s", most + most).complaint())
                .isEqualTo("standard input: more than 9223372036854775807 permits at one instant, 0");
    }

    @Test
    void verify_gzip_isUnpacked() {
        byte[] packed = Logs.gzip(BROKEN);

        assertThat(weir("verify", "--limit", "2/1us", Logs.file(directory, packed))
                        .code())
                .isEqualTo(1);
        assertThat(new Run.Setup()
                        .stdin(new ByteArrayInputStream(packed))
                        .weir("verify", "--limit", "3/1us", "-")
                        .code())
                .isZero();
    }

    @Test
    void verify_severalGzipMembersFromAPipe_areAllRead() {
        InputStream pipe = new SequenceInputStream(
                new ByteArrayInputStream(Logs.gzip("0,ann,1,1\n")), new ByteArrayInputStream(Logs.gzip("1,ann,1,1\n")));

        assertThat(new Run.Setup()
                        .stdin(pipe)
                        .weir("verify", "--limit", "1/1us", "-")
                        .code())
                .isEqualTo(1);
    }

    @Test
    void verify_gzipCutOff_isRefused() {
        byte[] cut = Arrays.copyOf(Logs.gzip(BROKEN), 20);
        Run run = new Run.Setup().stdin(new ByteArrayInputStream(cut)).weir("verify", "--limit", "3/1us", "-");

        assertThat(run.complaint()).isEqualTo("standard input: the gzip data ends too early; was the file cut off?");
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void verify_malformed_reportsWhichLine(String trace, String complaint) {
        assertThat(verify("1/1s", trace).complaint()).isEqualTo("standard input" + complaint);
    }

    static Stream<Arguments> malformed() {
        String none = ": no events in it; expected lines such as 1000000000,alice,1,1";
        String fields = "expected time_nanos,key,permits,allowed, found ";
        return Stream.of(
                arguments("", none),
                arguments("\n\n", none),
                arguments(HEADER, none),
                arguments("0,a,1\n", ", line 1: " + fields + "3 fields"),
                arguments("0,a,1,1\n\n1,a,1,1,1\n", ", line 3: " + fields + "5 fields"),
                arguments("hello\n", ", line 1: " + fields + "1 field"),
                arguments("0,a,1,1\n" + HEADER, ", line 2: time_nanos must be a whole number, was 'time_nanos'"),
                arguments("key,time_nanos,permits,allowed\n", ", line 1: time_nanos must be a whole number, was 'key'"),
                arguments("1.5,a,1,1\n", ", line 1: time_nanos must be a whole number, was '1.5'"),
                arguments(
                        "9223372036854775808,a,1,1\n",
                        ", line 1: time_nanos must be a whole number, was '9223372036854775808'"),
                arguments("0,,1,1\n", ", line 1: key is empty"),
                arguments("0," + "é".repeat(513) + ",1,1\n", ", line 1: key must be at most 1024 bytes long, was 1026"),
                arguments("0,a,0,1\n", ", line 1: permits must be a whole number of at least 1, was '0'"),
                arguments("0,a,x,1\n", ", line 1: permits must be a whole number of at least 1, was 'x'"),
                arguments("0,a,1,2\n", ", line 1: allowed must be 1 or true, 0 or false, or -1 for a refund, was '2'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,a,1,1\n0,\"a,1,1\n", "0,a,1,1\n0,\"a\"b,1,1\n"})
    void verify_badQuotes_reportsWhichLine(String trace) {
        assertThat(verify("1/1s", trace).complaint())
                .startsWith("standard input: ")
                .containsIgnoringCase(String.format("line %d", 2)); // the library writes numbers of the locale
    }

    @Test
    void verify_noText_isRefused() {
        byte[] latin = "0,\u00e9,1,1\n".getBytes(StandardCharsets.ISO_8859_1);
        Run run = new Run.Setup().stdin(new ByteArrayInputStream(latin)).weir("verify", "--limit", "1/1s", "-");

        assertThat(run.complaint()).isEqualTo("standard input: not text in UTF-8");
    }

    @Test
    void verify_onTerminal_isColoured() {
        Run run = new Run.Setup().terminal(80).stdin(BROKEN).weir("verify", "--limit", "9/1s", "-");

        assertThat(run.answer()).startsWith("\u001b[32mholds\u001b[0m: ");
    }
}
