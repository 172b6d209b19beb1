package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ManualTimeSource;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code align=first}, windows of reservations do not overlap. */
class FixedWindowTest {
    private final ManualTimeSource clock = new ManualTimeSource();

    private RateLimiter limiter(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(clock).build();
    }

    @Test
    void waitForcedByAnotherKey_opensNoWindowAcrossOthers() {
        RateLimiter limiter = limiter("fixed-window 5/10s align=first");
        limiter.block("five", Duration.ofSeconds(5));
        limiter.block("three", Duration.ofSeconds(3));
        List<TraceEvent> events = new ArrayList<>();
        for (String other : List.of("five", "three", "free")) {
            Decision decision = RateLimiter.reserveAll(
                            Duration.ofDays(1), limiter.request("key", 5), limiter.request(other, 1))
                    .decision();
            if (decision.allowed()) {
                events.add(new TraceEvent(clock.nanos() + decision.waitNanos(), "key", 5, Kind.ALLOWED));
            }
        }

        assertThat(TraceChecker.check(Limit.parse("fixed-window 5/10s align=first"), events)
                        .violation())
                .isNull();
    }

    /** Refunded windows made room for others between them and later ones: three and four times the limit. */
    @ParameterizedTest
    @ValueSource(strings = {"+A +B +D -A 5 +C -B +E -C 7 +G", "+A +B +D +E -A -B -D 5 +F +H +I -F -H 9 +J +K -J 8 +G"})
    void refundedWindows_twiceTheLimitAtMost(String steps) {
        RateLimiter limiter = limiter("fixed-window 1/10s align=first");
        Map<String, Reservation> reserved = new HashMap<>();
        Map<String, Long> granted = new HashMap<>();
        for (String step : steps.split(" ", -1)) {
            String name = step.substring(1);
            if (step.startsWith("+")) {
                Reservation reservation = limiter.reserve("key", 1, Duration.ofMinutes(5));
                reserved.put(name, reservation);
                granted.put(name, clock.nanos() + reservation.decision().waitNanos());
            } else if (step.startsWith("-")) {
                reserved.get(name).cancel();
                granted.remove(name);
            } else {
                clock.advance(Duration.ofSeconds(Long.parseLong(step)));
            }
        }
        long window = Duration.ofSeconds(10).toNanos();
        for (long last : granted.values()) {
            assertThat(granted.values())
                    .filteredOn(at -> at > last - window && at <= last)
                    .hasSizeLessThanOrEqualTo(2);
        }
    }
}
