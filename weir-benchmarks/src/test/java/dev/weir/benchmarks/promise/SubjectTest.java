package dev.weir.benchmarks.promise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.promise.Examination.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubjectTest {
    private static final long SECOND = 1_000_000_000;

    private static List<Subject> inMemory() {
        return Subject.inMemory();
    }

    private static Traffic log() throws IOException {
        return Traffic.log(Path.of("../examples/access.log"));
    }

    @Test
    void slidingLog_allTraffic_keepsTheLimitAndUsesIt() throws IOException {
        for (Traffic traffic : new Traffic[] {log(), Traffic.scan(), Traffic.fullDemand()}) {
            Finding finding = Player.inVirtualTime(traffic, Subject.WEIR_LOG::make);

            assertThat(finding.worstWindow()).as(traffic.name()).isEqualTo(100);
            assertThat(finding.granted()).as(traffic.name()).isLessThanOrEqualTo(finding.possible());
            assertThat(finding.use()).as(traffic.name()).isGreaterThan(99.9);
        }
    }

    /** The times in logs are whole seconds, and those of full demand whole ticks, which the log decides exactly. */
    @Test
    void slidingLog_timesOnItsTicks_deniesNothingWrongly() throws IOException {
        for (Traffic traffic : new Traffic[] {log(), Traffic.fullDemand()}) {
            Finding finding = Player.inVirtualTime(traffic, Subject.WEIR_LOG::make);

            assertThat(finding.granted()).as(traffic.name()).isEqualTo(finding.possible());
            assertThat(finding.wronglyDenied()).as(traffic.name()).isZero();
        }
    }

    @Test
    void fixedWindow_scan_isSeenToGrantTwice() {
        Finding finding = Player.inVirtualTime(Traffic.scan(), Subject.WEIR_FIXED::make);

        assertThat(finding.worstWindow()).isEqualTo(200);
        assertThat(finding.granted()).isGreaterThan(finding.possible());
    }

    /** A limiter that did not follow the clock would grant nothing new after an hour, or everything at once. */
    @ParameterizedTest
    @MethodSource("inMemory")
    void subject_virtualTime_followsIt(Subject subject) {
        AtomicLong time = new AtomicLong(1_800_000_000 * SECOND);
        IntToLongFunction limiter = subject.make(time);
        long first = granted(limiter, 0);

        assertThat(first).isBetween(1L, 100L);
        assertThat(granted(limiter, 0)).as("at the same time").isZero();
        assertThat(granted(limiter, 1)).as("another client").isEqualTo(first);
        time.addAndGet(3600 * SECOND);
        assertThat(granted(limiter, 0)).as("an hour later").isPositive();
    }

    private static long granted(IntToLongFunction limiter, int client) {
        return LongStream.range(0, 200)
                .filter(i -> limiter.applyAsLong(client) != Examination.DENIED)
                .count();
    }

    /** In an hour of demand each gives roughly what the limit promises: none is misconfigured by a factor. */
    @ParameterizedTest
    @MethodSource("inMemory")
    void subject_fullDemand_grantsAboutTheRate(Subject subject) {
        Finding finding = Player.inVirtualTime(Traffic.fullDemand(), subject::make);

        assertThat(finding.use()).isBetween(90.0, 125.0);
    }

    @Test
    void subjects_namesAndVersions_areAllThere() {
        assertThat(Subject.values())
                .allSatisfy(subject -> assertThat(subject.version()).matches("\\d+\\.\\d+.*"))
                .extracting(subject -> subject.title)
                .doesNotHaveDuplicates();
    }
}
