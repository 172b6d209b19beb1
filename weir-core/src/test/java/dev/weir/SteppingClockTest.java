package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks that step back, or are read late: nothing is admitted early, and nobody is blocked for long. */
class SteppingClockTest {
    private final ManualClock clock = new ManualClock();

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).clock(clock).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3/10s", "fixed-window 3/10s align=first", "token-bucket 3/10s"})
    void clockSteppingBackAnHour_admitsNothingEarlyAndBlocksNobodyForLong(String limit) {
        RateLimiter limiter = limiter(limit);
        limiter.tryAcquire("key", 3);
        clock.advance(Duration.ofHours(-1));

        assertThat(limiter.tryAcquire("key", 3).allowed()).isFalse();
        clock.advanceNanos(Duration.ofSeconds(10).toNanos() - 1);
        assertThat(limiter.tryAcquire("key", 3).allowed()).isFalse();
        clock.advanceNanos(1);
        assertThat(limiter.tryAcquire("key", 3).allowed()).isTrue();
        assertThat(limiter.tryAcquire("another", 3).allowed()).isTrue();
        assertThat(limiter.tryAcquire("another", 1).allowed()).isFalse();
    }

    @Test
    void newKeyAfterTheClockSteppedBack_isOnTheSameTimeAsTheOthers() {
        RateLimiter limiter = limiter("3/10s");
        limiter.tryAcquire("old", 3);
        clock.advance(Duration.ofHours(-1));
        limiter.tryAcquire("new", 3); // sees the step first
        limiter.tryAcquire("old");

        assertThat(limiter.tryAcquire("new").allowed()).isFalse();
        assertThat(limiter.tryAcquire("new").retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void bookingsAheadWhenTheClockStepsBack_countUntilAllHavePassed() {
        RateLimiter limiter = limiter("2/10s");
        limiter.tryAcquire("key", 2);
        limiter.reserve("key", 2, Duration.ofMinutes(1)); // at 10 s
        limiter.reserve("key", 1, Duration.ofMinutes(1)); // at 20 s
        clock.advance(Duration.ofHours(-1));

        assertThat(limiter.peek("key").remaining()).isZero();
        clock.advance(Duration.ofSeconds(19));
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }

    @Test
    void threadThatDawdlesBetweenClockAndKey_isNoClockThatSteppedBack() {
        long[] now = {1_000_000_000_000L};
        boolean[] late = {false};
        Clock dawdling = () -> {
            if (late[0]) {
                late[0] = false;
                return now[0] - 3_000_000_000L; // read three seconds ago
            }
            return now[0];
        };
        RateLimiter limiter =
                RateLimiter.builder().limit("1/2s").clock(dawdling).build();
        limiter.tryAcquire("key");
        late[0] = true;
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();

        now[0] += 1_999_999_999L;
        assertThat(limiter.tryAcquire("key").allowed()).isFalse();
    }
}
