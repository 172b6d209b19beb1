package dev.weir.benchmarks.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.weir.Limits;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every contestant limits, so that no benchmark measures a limiter without effect. */
final class ContestantTest {
    private static final int LIMIT = 10;

    private static int allowed(Limiter limiter, String key, int requests) {
        return (int) IntStream.range(0, requests)
                .filter(i -> limiter.tryAcquire(key).allowed())
                .count();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_beyondLimit_isDenied(Contestant contestant) {
        Limiter limiter = contestant.make(Limits.parse("10/1d"));

        // Guava supports a rate only, and has not saved any permits yet.
        int expected = contestant == Contestant.GUAVA ? 1 : LIMIT;
        assertThat(allowed(limiter, "a", 2 * LIMIT)).isEqualTo(expected);
        assertThat(limiter.tryAcquire("a").allowed()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_otherKey_hasItsOwnCount(Contestant contestant) {
        Limiter limiter = contestant.make(Limits.parse("1/1d"));
        limiter.tryAcquire("a");

        assertThat(limiter.tryAcquire("a").allowed()).isFalse();
        assertThat(limiter.tryAcquire("b").allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_permitANanosecond_isNeverDenied(Contestant contestant) {
        Limiter limiter = contestant.make(Limits.parse("1000000000/1s"));

        assertThat(allowed(limiter, "a", 100_000)).isEqualTo(100_000);
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_eachCall_answersNewDecision(Contestant contestant) {
        Limiter limiter = contestant.make(Limits.parse("1/1d"));

        assertThat(limiter.tryAcquire("a")).isNotSameAs(limiter.tryAcquire("a"));
        assertThat(limiter.tryAcquire("a")).isNotSameAs(limiter.tryAcquire("a"));
    }

    /** A call that prepares to wait reads the clock again, so it is not the fastest one of its library. */
    @ParameterizedTest
    @EnumSource
    void tryAcquire_denied_readsTheClockOnce(Contestant contestant) {
        AtomicLong reads = new AtomicLong();
        Limiter limiter = contestant.make(Limits.parse("1/1d"), () -> 1_000_000_000 + reads.getAndIncrement());
        limiter.tryAcquire("a");
        long before = reads.get();

        assertThat(limiter.tryAcquire("a").allowed()).isFalse();
        assertThat(reads.get() - before).isEqualTo(1);
    }

    /** Where the caller needs only that, a peer that returns a boolean is not charged for an object. */
    @Test
    void isAllowed_peerWithoutDecisions_createsNone() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Limiter limiter = Contestant.GUAVA.make(Limits.parse("1000000000/1s"));
        int calls = 10_000;
        boolean all = limiter.isAllowed("a");

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            all &= limiter.isAllowed("a");
        }

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16L * calls);
        assertThat(all).isTrue();
    }

    @ParameterizedTest
    @EnumSource(names = {"WEIR", "BUCKET4J"})
    void make_twoLimits_holdsBoth(Contestant contestant) {
        assertThat(allowed(contestant.make(Limits.parse("3/1d", "5/1d")), "a", LIMIT))
                .isEqualTo(3);
        assertThat(allowed(contestant.make(Limits.parse("5/1d", "3/1d")), "a", LIMIT))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESILIENCE4J", "GUAVA", "FAILSAFE"})
    void make_twoLimits_isRefused(Contestant contestant) {
        assertThatThrownBy(() -> contestant.make(Limits.parse("3/1d", "5/1d")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("only one limit is supported");
    }

    @Test
    void mostPermits_guava_areOneAMicrosecond() {
        assertThat(Contestant.GUAVA.mostPermits(1_000_000)).isEqualTo(1_000);
        assertThat(Contestant.WEIR.mostPermits(1_000_000)).isEqualTo(Integer.MAX_VALUE);
    }
}
