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
    private static final String HARD = "^(?<time>\\d+) (?<key>a*a*a*a*a*)=$";
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
        try (Trace trace = read(HARD, "1 aa=\n" + hard + "\n")) {
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
                assertThat(trace.hint()).isEqualTo("a possessive repetition, such as (?:...)*+, takes none");
            }
            try (Trace trace = read("^(?<time>\\d+) (?<key>a)(?:a|b)*+$", "1 aa\n" + deep)) {
                assertThat(trace.requests()).isEqualTo(2);
            }
        });
    }

    @Test
    void read_linesThatNestTooDeep_areSkippedHoweverMany() throws Exception {
        String deep = "1 " + "ab".repeat(8_000) + "\n";
        onSmallStack(() -> {
            try (Trace trace = read(NESTED, "1 aa\n".repeat(200) + deep.repeat(101))) {
                assertThat(trace.requests()).isEqualTo(200);
            }
        });
    }

    /** But not if as many lines match: a log that is followed for days may have such a line now and then. */
    @Test
    void read_patternTooHardForManyLines_isAbandoned() throws IOException {
        String hard = "1 " + "a".repeat(300) + "!\n";
        String some = hard.repeat(99) + "1 aa=\n" + hard;
        try (Trace trace = read(HARD, some + "1 aa=\n".repeat(101))) {
            assertThat(trace.requests()).isEqualTo(102);
        }
        assertThatThrownBy(() -> read(HARD, hard.repeat(100)))
                .isInstanceOf(LogException.class)
                .hasMessage("the pattern tries too many ways to match, on 100 lines more than it matches: give it fewer"
                        + " repetitions that overlap, such as .*.*");
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
