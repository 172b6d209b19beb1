package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bound of each algorithm is reported when it is exceeded by one permit, and not before. */
class GrantsTest {

    /** A key, with the limit under which its requests are decided. */
    private static final class Key {
        private final Grants grants;
        private Limit limit;

        Key(String limit) {
            this(limit, 1, true);
        }

        Key(String limit, long tickNanos, boolean clockIsSteady) {
            this.limit = Limit.parse(limit);
            this.grants = new Grants(this.limit, tickNanos, clockIsSteady);
        }

        Key under(String changed) {
            limit = Limit.parse(changed);
            return this;
        }

        /** Grants permits at once. Returns the bound that this breaks. */
        String grant(long now, long permits) {
            return reserve(now, now, permits);
        }

        /** Grants permits that are due at an instant. */
        String reserve(long now, long at, long permits) {
            grants.decided(limit, now);
            return grants.add(now, at, permits);
        }

        void deny(long now, long permits) {
            grants.decided(limit, now);
            grants.addDenied(now, permits);
        }

        /** Returns whether a denial would be unnecessary. */
        boolean mustFit(long now, long permits) {
            grants.decided(limit, now);
            return grants.mustFit(now, permits);
        }
    }

    @Test
    void log_windowHoldsOneTooMany_isReported() {
        Key key = new Key("3/10ns");
        assertThat(key.grant(0, 1)).isEmpty();
        assertThat(key.grant(2, 2)).isEmpty();

        assertThat(key.grant(9, 1)).isEqualTo("4 in (-1, 9], above 3: [1 at 0, 2 at 2, 1 at 9]");
        assertThat(new Key("3/10ns margin=2ns").grant(0, 4)).startsWith("4 in (-12, 0]");
    }

    @Test
    void log_windowEnds_permitsNoLongerCount() {
        Key key = new Key("3/10ns");
        key.grant(0, 3);

        assertThat(key.grant(10, 3)).isEmpty();
        assertThat(key.grant(19, 1)).startsWith("4 in (9, 19], above 3");
    }

    @Test
    void log_ticksOfTheStore_windowIsRoundedUp() {
        Key key = new Key("3/10ns", 4, true);
        key.grant(0, 3);

        assertThat(key.grant(2, 1)).startsWith("4 in (-1, 2], above 3");
        assertThat(new Key("3/10ns", 4, true).grant(3, 3)).isEmpty();
    }

    @Test
    void log_reservedBetweenTwoOthers_laterWindowIsCounted() {
        Key key = new Key("2/10ns");
        key.grant(0, 1);
        key.reserve(0, 9, 1);

        assertThat(key.reserve(1, 10, 1)).isEmpty();
        assertThat(key.reserve(1, 5, 1)).startsWith("3 in (-1, 9], above 2");
    }

    @Test
    void attempts_denialsCount() {
        Key key = new Key("3/10ns count=attempts");
        key.grant(0, 2);
        key.deny(1, 1);

        assertThat(key.grant(9, 1)).startsWith("4 in (-1, 9], above 3: [2 at 0, denied 1 at 1");

        Key whole = new Key("3/10ns count=attempts");
        whole.deny(0, 7); // counts as what the limit allows at most
        assertThat(whole.grant(9, 1)).startsWith("4 in (-1, 9], above 3");
        assertThat(key.mustFit(9, 1)).isFalse();
    }

    /** Denied attempts may have replaced grants, so that these no longer count in a log without attempts. */
    @Test
    void attempts_changeToALog_grantsBesideDenialsDoNotCount() {
        Key key = new Key("3/10ns count=attempts");
        key.grant(0, 1);
        assertThat(key.under("3/10ns").grant(2, 3)).startsWith("4 in (-8, 2], above 3");

        Key denied = new Key("3/10ns count=attempts");
        denied.grant(0, 1);
        denied.deny(1, 1);
        assertThat(denied.under("3/10ns").grant(2, 3)).isEmpty();
        assertThat(denied.grant(3, 1)).startsWith("4 in (-7, 3], above 3");
    }

    @Test
    void log_denialsDoNotCount() {
        Key key = new Key("3/10ns");
        key.grant(0, 2);
        key.deny(1, 3);

        assertThat(key.mustFit(2, 1)).isTrue();
        assertThat(key.grant(2, 1)).isEmpty();
    }

    @Test
    void buckets_countInEveryWindow_classicOnesInOneWithoutABucket() {
        Key key = new Key("sliding-window 3/10ns buckets=5");
        key.grant(1, 3);
        assertThat(key.grant(10, 1)).startsWith("4 in (0, 10], above 3");
        Key late = new Key("sliding-window 3/10ns buckets=5");
        late.grant(1, 3);
        assertThat(late.grant(11, 3)).isEmpty();

        Key classic = new Key("sliding-window 3/10ns buckets=5 estimate=classic");
        classic.grant(1, 3);
        assertThat(classic.mustFit(9, 1)).isFalse();
        assertThat(classic.grant(9, 3)).isEmpty();
        assertThat(classic.grant(16, 1)).startsWith("4 in (8, 16], above 3");
    }

    @Test
    void clockWindows_countFromStartToEnd() {
        Key key = new Key("fixed-window 2/10ns");
        key.grant(9, 2);

        assertThat(key.mustFit(9, 1)).isFalse();
        assertThat(key.mustFit(10, 2)).isTrue();
        assertThat(key.grant(10, 2)).isEmpty();
        assertThat(key.grant(19, 1)).startsWith("3 in the window of 19, above 2");
    }

    @Test
    void windows_thatMayStartAnywhere_countTwiceTheLimit() {
        for (String limit : List.of("fixed-window 2/10ns", "fixed-window 2/10ns align=first")) {
            Key key = new Key(limit, 1, false);
            key.grant(1, 2);
            assertThat(key.grant(8, 2)).isEmpty();

            assertThat(key.grant(10, 1)).startsWith("5 in (0, 10], above 4");
        }
    }

    @Test
    void firstWindows_doNotOverlap() {
        Key key = new Key("fixed-window 2/10ns align=first");
        key.grant(0, 1);
        assertThat(key.grant(9, 1)).isEmpty();
        assertThat(key.grant(10, 2)).isEmpty();
        assertThat(key.grant(19, 1)).contains("3", "[1 at 0, 1 at 9, 2 at 10, 1 at 19]");

        assertThat(new Key("fixed-window 2/10ns align=first").grant(0, 3)).isNotEmpty();
    }

    @Test
    void firstWindows_limitFalls_earlierWindowMayHoldMore() {
        Key key = new Key("fixed-window 3/10ns align=first");
        key.grant(0, 3);

        assertThat(key.under("fixed-window 1/10ns align=first").grant(5, 3)).isEmpty();
        assertThat(key.grant(6, 1)).startsWith("7 in (-4, 6], above 6");
    }

    @Test
    void tokens_countOverEverySpan() {
        Key key = new Key("token-bucket 2/10ns");
        key.grant(0, 2);
        assertThat(key.mustFit(4, 1)).isFalse();
        assertThat(key.mustFit(5, 1)).isTrue();
        assertThat(key.grant(5, 1)).isEmpty();

        assertThat(key.grant(9, 1)).startsWith("permits for 20.0 in 9, above the span and 10.0");
        assertThat(new Key("token-bucket 2/10ns burst=3").grant(0, 3)).isEmpty();
        assertThat(new Key("token-bucket 2/10ns burst=3").grant(0, 4)).startsWith("permits for 20.0 in 0");
        assertThat(new Key("gcra 2/10ns").grant(0, 2)).startsWith("permits for 10.0 in 0, above the span and 5.0");
    }

    @Test
    void tokens_whileAReservationIsPending_denialsAreJustified() {
        Key key = new Key("gcra 2/10ns");
        key.reserve(0, 5, 1);

        assertThat(key.mustFit(0, 1)).isFalse();
        assertThat(key.mustFit(10, 1)).isTrue();
    }

    @Test
    void tokens_reservedInAnyOrder_countInThatOfTheirTimes() {
        Key key = new Key("gcra 2/10ns");
        key.reserve(0, 10, 1);

        assertThat(key.reserve(0, 4, 1)).isEmpty();
        assertThat(key.reserve(0, 7, 1)).startsWith("permits for 10.0 in 3, above the span and 5.0");
    }

    @Test
    void queue_boundsEveryWindowAndPendingPermits() {
        String limit = "leaky-bucket 2/10ns capacity=3";
        Key key = new Key(limit);
        for (long at = 0; at <= 15; at += 5) {
            assertThat(key.reserve(0, at, 1)).isEmpty();
        }
        assertThat(key.reserve(0, 20, 1)).startsWith("permits for 20.0 wait at 0, above 15.0");

        Key tooEarly = new Key(limit);
        tooEarly.grant(0, 1);
        tooEarly.reserve(0, 5, 1);
        assertThat(tooEarly.reserve(1, 9, 1)).contains("permits=3, bound=2");

        Key large = new Key(limit);
        large.grant(0, 3);
        assertThat(large.grant(9, 1)).isEmpty(); // N + the largest weight - 1
        assertThat(large.grant(9, 1)).contains("permits=5, bound=4");
        assertThat(large.mustFit(50, 1)).isFalse();
    }

    @Test
    void queue_drainsAtTheRateOfTheLimit() {
        Key key = new Key("leaky-bucket 2/10s", 1_000_000_000, true);
        key.grant(0, 1);
        assertThat(key.reserve(0, 5, 1)).isEmpty();

        assertThat(key.reserve(0, 9, 1)).contains("in a window");
        Key early = new Key("leaky-bucket 2/10s", 1_000_000_000, true);
        early.grant(0, 1);
        assertThat(early.reserve(0, 4, 1)).contains("largest weight and what drained");
    }

    @Test
    void refund_releasesPermits_butNotThoseOfAttempts() {
        Key key = new Key("3/10ns");
        key.grant(0, 3);
        key.grants.refund(key.grants.newest(), 2);
        assertThat(key.mustFit(5, 3)).isFalse();
        assertThat(key.mustFit(5, 2)).isTrue();
        assertThat(key.grant(5, 2)).isEmpty();

        Key attempts = new Key("3/10ns count=attempts");
        attempts.grant(0, 3);
        attempts.grants.refund(attempts.grants.newest(), 2);
        assertThat(attempts.grant(5, 1)).startsWith("4 in");

        Key tokens = new Key("token-bucket 2/10ns");
        tokens.grant(0, 2);
        tokens.grants.refund(tokens.grants.newest(), 2);
        assertThat(tokens.mustFit(0, 1)).as("may be forfeited").isFalse();
    }

    @Test
    void mustFit_coarseTicks_permitsCountFromTheEndOfTheirs() {
        Key key = new Key("3/10ns resolution=4ns");
        key.grant(1, 3); // counts until 14

        assertThat(key.mustFit(13, 1)).isFalse();
        assertThat(key.mustFit(14, 3)).isTrue();
        assertThat(key.mustFit(14, 4)).isFalse();
    }

    @Test
    void log_windowGrows_permitsThatExpiredAreNotCountedAgain() {
        Key inTime = new Key("3/10ns");
        inTime.grant(0, 3);
        assertThat(inTime.under("3/20ns").grant(9, 1)).startsWith("4 in (-11, 9], above 3");

        Key late = new Key("3/10ns");
        late.grant(0, 3);
        assertThat(late.under("3/20ns").grant(10, 3)).isEmpty();
        assertThat(late.grant(29, 1)).startsWith("4 in (9, 29], above 3");
    }

    @Test
    void log_limitChanges_denialsAreJustifiedUntilNothingCounts() {
        Key key = new Key("3/10ns");
        key.grant(0, 1);

        assertThat(key.under("3/5ns").mustFit(6, 1)).isFalse();
        assertThat(key.mustFit(11, 1)).isTrue();
    }

    @Test
    void clockWindows_lengthChanges_windowThatHasNotEndedIsCarried() {
        Key inTime = new Key("fixed-window 3/10ns");
        inTime.grant(4, 2);
        assertThat(inTime.under("fixed-window 3/15ns").grant(9, 1)).isEmpty();
        assertThat(inTime.grant(14, 1)).startsWith("4 in the window of 14, above 3");

        Key late = new Key("fixed-window 3/10ns");
        late.grant(4, 2);
        assertThat(late.under("fixed-window 3/15ns").grant(10, 3)).isEmpty();
        assertThat(late.grant(14, 1)).startsWith("4 in the window of 14, above 3");
    }

    @Test
    void tokens_limitChanges_earlierPermitsKeepTheirCost() {
        String faster = "token-bucket 10/10ns burst=2";
        Key early = new Key("token-bucket 2/10ns");
        early.grant(0, 2);
        assertThat(early.under(faster).grant(8, 1)).startsWith("permits for 11.0 in 8, above the span and 2.0");

        Key late = new Key("token-bucket 2/10ns");
        late.grant(0, 2);
        assertThat(late.under(faster).grant(9, 1)).isEmpty();
    }

    @Test
    void unlimited_hasNoBound() {
        assertThat(new Key("unlimited").grant(0, Long.MAX_VALUE)).isEmpty();
    }
}
