package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RegexTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String NESTED = "^(?<time>\\d+) (?<key>(a|b)*)$";

    @Test
    void read_groups_areTimeKeyAndPermits() throws IOException {
        try (Trace trace =
                read("(?<time>\\d+) (?<key>\\w+)( x(?<permits>\\d+))?", "at 1 ann x7\n2 bob\nnothing\n3 cy x0\n")) {
            assertThat(Logs.events(trace))
                    .containsExactly(new Event(SECOND, "ann", 7), new Event(2 * SECOND, "bob", 1));
            assertThat(trace.firstSkipped())
                    .containsExactly(
                            new SkippedLine(3, "the pattern does not match", "nothing"),
                            new SkippedLine(4, "permits is not a whole number of at least 1", "3 cy x0"));
        }
    }

    @Test
    void read_groupsThatDidNotTakePart_areMissing() throws IOException {
        try (Trace trace = read("(?<time>\\d+)?,(?<key>\\w+)?", "1,a\n,b\n1,\n")) {
            assertThat(trace.requests()).isEqualTo(1);
            assertThat(trace.firstSkipped()).extracting(SkippedLine::reason).containsExactly("no time", "no key");
        }
    }

    @Test
    void read_timesAsInTheCommonFormat_needNoPattern() throws IOException {
        try (Trace trace = read("^(?<key>\\S+) .*\\[(?<time>[^]]+)]", Logs.LINE)) {
            assertThat(Logs.events(trace)).containsExactly(new Event(Logs.LINE_TIME, "83.149.9.216", 1));
        }
    }

    @Test
    void read_patternThatBacktracksForever_isCutOff() throws IOException {
        String hard = "1 " + "a".repeat(300) + "!";
        try (Trace trace = read("^(?<time>\\d+) (?<key>a*a*a*a*a*)=$", "1 aa=\n" + hard + "\n")) {
            assertThat(trace.requests()).isEqualTo(1);
            assertThat(trace.firstSkipped())
                    .extracting(SkippedLine::reason)
                    .containsExactly("the pattern tries too many ways to match this line");
        }
    }

    @Test
    void read_patternThatNestsTooDeep_isCutOff() throws Exception {
        String deep = "1 " + "ab".repeat(32_000) + "\n";
        onSmallStack(() -> {
            try (Trace trace = read(NESTED, "1 aa\n" + deep)) {
                assertThat(trace.requests()).isEqualTo(1);
                assertThat(trace.skipped()).isEqualTo(1);
            }
        });
    }

    /** Lines that nest too deep, which takes less time than to try too many ways. */
    @Test
    void read_patternTooHardForManyLines_isAbandoned() throws Exception {
        String deep = "1 " + "ab".repeat(8_000) + "\n";
        onSmallStack(() -> assertThatThrownBy(() -> read(NESTED, deep.repeat(100)))
                .isInstanceOf(LogException.class)
                .hasMessage("the pattern tries too many ways to match, on 100 lines so far: give it fewer"
                        + " repetitions that overlap, such as .*.*"));
    }

    /** Runs a check in a thread whose stack is too small for some thousand repetitions of a group. */
    private static void onSmallStack(ThrowingCallable check) throws Exception {
        FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(check));
        new Thread(null, task, "small stack", 1 << 18).start();

        assertThat(task.get()).isNull();
    }

    private static Trace read(String pattern, String log) throws IOException {
        return Logs.read(log, Logs.options("regex:" + pattern, "ip"));
    }
}
