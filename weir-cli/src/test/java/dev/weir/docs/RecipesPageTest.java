package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.testkit.ManualTimeSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Java snippets of docs/recipes.md for any application: each is a region of this class. */
final class RecipesPageTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    private final String customer = "customer-1";
    private final String client = "203.0.113.9";
    private final String question = "ten chars.";
    private final ManualTimeSource time = new ManualTimeSource();
    private final RateLimiter failures = onManualTime("5/10m");

    private RateLimiter onManualTime(String limit) {
        return RateLimiter.builder().limit(limit).timeSource(time).build();
    }

    private static boolean isPasswordOf(String username, String password) {
        return password.equals(username + "'s secret");
    }

    private String login(String username, String password) {
        // region
        Reservation attempt = failures.reserve(username, Duration.ZERO);
        if (!attempt.decision().allowed()) {
            return "429, retry after " + attempt.decision().retryAfterSeconds() + " s";
        }
        if (!isPasswordOf(username, password)) {
            return "401";
        }
        attempt.cancel();
        return "200";
        // endregion
    }

    @Test
    void failedLogins_onlyTheseCount() {
        assertThat(Stream.generate(() -> login("ann", "ann's secret")).limit(10))
                .containsOnly("200");
        assertThat(IntStream.range(0, 5).mapToObj(i -> login("ann", "guess " + i)))
                .containsOnly("401");

        assertThat(login("ann", "ann's secret")).isEqualTo("429, retry after 600 s");
        assertThat(login("bob", "bob's secret")).isEqualTo("200");
        time.advance(Duration.ofMinutes(10));
        assertThat(login("ann", "ann's secret")).isEqualTo("200");
    }

    @Test
    void ban_keyThatIsDenied_isBlocked() {
        RateLimiter api = onManualTime("3/1m");

        assertThat(Stream.generate(() -> allows(api)).limit(4)).containsExactly(true, true, true, false);

        time.advance(Duration.ofMinutes(10).minusMillis(1));
        assertThat(allows(api)).isFalse();
        time.advance(Duration.ofMillis(1));
        assertThat(allows(api)).isTrue();
    }

    private boolean allows(RateLimiter api) {
        // region
        Decision decision = api.tryAcquire(client);
        if (!decision.allowed() && !decision.blocked() && !decision.degraded()) {
            api.block(client, Duration.ofMinutes(10)); // on Redis for all processes
        }
        // endregion
        return decision.allowed();
    }

    @Test
    void cost_lessThanReserved_restIsRefunded() {
        RateLimiter tokens = onManualTime("10000/1m");
        // region
        Reservation budget = tokens.reserve(customer, 4_000, Duration.ZERO);
        if (budget.decision().allowed()) {
            int used = ask(question);
            budget.refund(4_000 - used);
        }
        // endregion
        assertThat(tokens.peek(customer).remaining()).isEqualTo(9_000);
    }

    @Test
    void cost_chargedAfterwards_countsInFull() {
        RateLimiter tokens = onManualTime("1500/1m count=attempts");
        chargeAfterwards(tokens);
        assertThat(tokens.peek(customer).remaining()).isEqualTo(500);
        chargeAfterwards(tokens);
        assertThat(tokens.peek(customer).allowed()).isFalse();
    }

    private void chargeAfterwards(RateLimiter tokens) {
        // region
        if (tokens.peek(customer).allowed()) {
            var unused = tokens.tryAcquire(customer, ask(question)); // counts, even if it is denied
        }
        // endregion
    }

    @Test
    void whatRemains_isShownWithoutAPermit() {
        RateLimiter api = onManualTime("100/1h");
        api.tryAcquire(customer);
        time.advance(Duration.ofMinutes(10));
        // region
        Decision now = api.peek(customer);
        String text = now.remaining() + " requests left, all of them again in "
                + now.resetAfter().toMinutes() + " minutes";
        // endregion
        assertThat(text).isEqualTo("99 requests left, all of them again in 50 minutes");
        assertThat(api.peek(customer).remaining()).isEqualTo(99);
    }

    @Test
    void night_hasAnotherLimit() {
        MovedClock clock = new MovedClock("2026-03-01T05:00:00Z"); // six o'clock in Berlin
        // region
        Limits day = Limits.parse("100/1m");
        Limits night = Limits.parse("1000/1m");
        RateLimiter api = RateLimiter.builder()
                .limitsByKey(client -> LocalTime.now(clock).getHour() < 6 ? night : day)
                .build();
        // endregion
        assertThat(api.tryAcquire(client, 100).allowed()).isTrue();
        assertThat(api.tryAcquire(client).allowed()).isFalse();
        clock.now = Instant.parse("2026-03-02T04:59:59Z");
        assertThat(api.tryAcquire(client).remaining()).isEqualTo(899);
    }

    @Test
    void month_next_startsUnused() {
        MovedClock clock = new MovedClock("2026-03-31T21:59:59Z");
        // region
        RateLimiter quota = RateLimiter.of(Limit.parse("fixed-window 10000/31d align=first"));

        Decision decision = quota.tryAcquire(customer + " " + YearMonth.now(clock));
        // endregion
        assertThat(decision.remaining()).isEqualTo(9_999);
        clock.now = Instant.parse("2026-03-31T22:00:00Z"); // April in Berlin
        assertThat(quota.peek(customer + " " + YearMonth.now(clock)).remaining())
                .isEqualTo(10_000);
    }

    @Test
    void week_ofTheClock_startsOnThursday() {
        ManualTimeSource thursday = new ManualTimeSource(
                TimeUnit.SECONDS.toNanos(Instant.parse("2026-11-26T00:00:00Z").getEpochSecond()));
        RateLimiter weekly = RateLimiter.builder()
                .limit("fixed-window 1/1w")
                .timeSource(thursday)
                .build();

        assertThat(weekly.tryAcquire(customer).resetAfter()).isEqualTo(Duration.ofDays(7));
    }

    /** Returns the number of tokens of an answer. */
    private static int ask(String question) {
        return 100 * question.length();
    }

    /** A clock in Berlin that the test moves. */
    private static final class MovedClock extends Clock {
        private Instant now;

        MovedClock(String now) {
            this.now = Instant.parse(now);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZONE;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }
}
