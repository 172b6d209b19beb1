package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of logs that random traces seldom contain. */
final class RareHistoriesTest extends ComparedHistory {
    @Test
    void reservationsBeforeARoundedStamp_decidedAsInMemory() {
        Limits fine = Limits.parse("100/10s resolution=1s");
        Limits coarse = Limits.parse("100/20s resolution=10s");
        at.pass(100);
        reserve(fine, 1, 0).assertEqual();
        reserve(coarse, 1, 0).assertEqual();
        block(coarse, 5 * SECOND);
        for (long permits : new long[] {1, 3, 5}) {
            reserve(coarse, permits, 10 * SECOND).assertEqual();
        }
        for (long pass : new long[] {5_006_000, 0, 11 * SECOND, 10 * SECOND, 10_000}) {
            at.pass(pass);
            reserve(coarse, 1, 0).assertEqual();
        }
        reserve(coarse, 100, 0).assertEqual();
    }

    /** Runs that only a longer window counts are not dropped. */
    @Test
    void log_sumIsTooLargeAfterALongerWindow_deniesUntilThatHasPassed() {
        long most = 2_000_000_000_000_000L;
        Limits longer = Limits.parse(most + "/10s");
        Limits shorter = Limits.parse(most + "/1s");
        reserve(longer, 1, 0).assertEqual();
        for (int i = 0; i < 4; i++) {
            at.pass(SECOND + 100_000);
            reserve(shorter, most, 0).assertEqual();
        }
        at.pass(SECOND + 100_000);
        assertThat(reserve(shorter, 1, 0).there().decision().retryAfter()).isEqualTo(Duration.ofMillis(8_900));
        assertThat(isAllowed(longer, 1, 0)).isFalse();

        at.pass(9 * SECOND - 100_000);
        assertThat(isAllowed(longer, most, 0)).isTrue();
    }

    /** A log whose total weight is too large may be restarted only when nothing is pending. */
    @Test
    void log_sumIsTooLargeWhileOneWaits_countsTheReservation() {
        Limits few = Limits.parse("1000000000000000/1s");
        Limits many = Limits.parse("4000000000000000/1s");
        for (int i = 0; i < 14; i++) {
            at.pass(SECOND / 2 + 1_000); // a longer time would let all expire and restart the log
            assertThat(isAllowed(few, 500_000_000_000_000L, 0)).isTrue();
        }
        assertThat(isAllowed(few, 1_000_000_000_000_000L, 2 * SECOND)).isTrue();

        at.pass(100_000);
        assertThat(isAllowed(many, 1, 0)).isFalse(); // its sum would be too large
        at.pass(SECOND + 100_000);
        assertThat(isAllowed(many, 3_000_000_000_000_001L, 0)).isFalse();
        at.pass(SECOND);
        assertThat(isAllowed(many, 4_000_000_000_000_000L, 0)).isTrue();
    }

    /** If the tail ended at the creation of the log, the blocks before it would count as expired. */
    @Test
    void coarserBuckets_afterARefundedTail_decidedAsInMemory() {
        Limits wide = Limits.parse("sliding-window 450/100s buckets=100000 estimate=classic");
        Limits narrow = Limits.parse("sliding-window 300/20s buckets=2 estimate=classic");
        for (int i = 0; i < 237; i++) {
            at.pass(150_000);
            reserve(wide, 1, 0).assertEqual();
        }
        at.set(StoreAtTime.START + 69 * SECOND);
        List<Pair> later = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            at.pass(1_000);
            later.add(reserve(wide, 1, 0));
        }
        for (int i = 3; i >= 0; i--) {
            later.get(i).refund(1);
        }
        at.pass(1_000);
        reserve(narrow, 1, 0);
        reserve(wide, 1, 0).assertEqual();
        reserve(wide, 1, 0).assertEqual();
        at.pass(60 * SECOND);
        reserve(wide, 1, 0).assertEqual();
        reserve(wide, 350, 0).assertEqual();
    }

    /** The permits are added to a run of the past, which stays one run. */
    @Test
    void coarserBuckets_afterARefund_runsAreAsInMemory() {
        Limits narrow = Limits.parse("sliding-window 9/100s buckets=10 estimate=classic");
        Limits coarse = Limits.parse("sliding-window 9/100s buckets=5 estimate=classic");
        reserve(narrow, 1, 0).assertEqual();
        at.pass(11 * SECOND);
        Pair refunded = reserve(narrow, 1, 0);
        refunded.refund(1);
        reserve(coarse, 1, 0).assertEqual();
        assertThat(Blocking.inspect(redis, request(coarse, 1), 9)
                        .limits()
                        .get(0)
                        .runs())
                .isEqualTo(Blocking.inspect(memory, request(coarse, 1), 9)
                        .limits()
                        .get(0)
                        .runs());
    }

    @Test
    void clockSetBack_allRefunded_decidesAsInMemory() {
        Limits limits = Limits.parse("2/10s resolution=1us");
        Pair granted = reserve(limits, 2, 0);
        Pair waiting = reserve(limits, 1, 60 * SECOND);
        granted.refund(2);
        waiting.refund(1);
        at.pass(-20 * SECOND);
        reserve(limits, 1, 0).assertEqual();
        at.pass(3 * SECOND);
        reserve(limits, 1, 0).assertEqual();
    }

    @Test
    void clockSetBack_oneOfTwoLimitsChanged_decidesAsInMemory() {
        at.pass(500);
        reserve(Limits.parse("9/20s name=a", "9/10s name=b"), 1, 0).assertEqual();
        at.pass(500);
        Limits changed = Limits.parse("9/15s name=a", "9/10s name=b");
        reserve(changed, 1, 0).assertEqual();
        at.pass(-20 * SECOND);
        reserve(changed, 1, 0).assertEqual();
    }

    /** A refund decodes a limit without a decision; its earlier reservations must still count. */
    @Test
    void clockSetBack_refundedBeforeTheNextDecision_reservationsCount() {
        Limits limits = Limits.parse("2/10s name=b resolution=1us");
        Pair first = reserve(limits, 1, 0);
        Pair second = reserve(limits, 2, 60 * SECOND);
        assertThat(waitOf(reserve(limits, 2, 60 * SECOND))).isEqualTo(20 * SECOND);
        second.refund(2);
        at.pass(-40 * SECOND);
        reserve(Limits.parse("9/10s name=a"), 1, 0);
        first.refund(1);
        assertThat(reserve(limits, 1, 0).there().decision().allowed()).isFalse();
    }

    /** Reservations made before the clock was set back count at once; later ones are scheduled among them. */
    @Test
    void clockSetBack_reservationsAmongEarlierOnes_limitHolds() {
        Limits limits = Limits.parse("20/1s resolution=1us");
        reserve(limits, 10, 0);
        at.pass(SECOND / 2);
        Pair second = reserve(limits, 5, 0);
        at.pass(SECOND / 10);
        Pair third = reserve(limits, 5, 0);
        Pair waiting = reserve(limits, 10, 60 * SECOND);
        assertThat(waitOf(waiting)).isEqualTo(400_000);
        assertThat(waitOf(reserve(limits, 5, 60 * SECOND))).isEqualTo(900_000);
        assertThat(waitOf(reserve(limits, 5, 60 * SECOND))).isEqualTo(1_000_000);
        second.refund(5);
        third.refund(5);
        waiting.refund(5);

        at.pass(-20 * SECOND);
        assertThat(waitOf(reserve(limits, 5, 60 * SECOND))).isEqualTo(400_000);
        assertThat(waitOf(reserve(limits, 15, 60 * SECOND)))
                .as("those at 0.9 and 1 s, and 15 more, are 25")
                .isEqualTo(1_900_000);
    }

    /** The reservation becomes a run between two earlier ones with other stamps. */
    @Test
    void clockSetBack_reservationBetweenEarlierOnes_countsInFull() {
        Limits limits = Limits.parse("20/1s resolution=1us");
        reserve(limits, 10, 0);
        at.pass(200_000);
        Pair second = reserve(limits, 5, 0);
        at.pass(300_000);
        Pair third = reserve(limits, 5, 0);
        Pair waiting = reserve(limits, 15, 60 * SECOND);
        assertThat(waitOf(waiting)).isEqualTo(700_000);
        assertThat(waitOf(reserve(limits, 5, 60 * SECOND))).isEqualTo(1_000_000);
        second.refund(5);
        third.refund(5);
        waiting.refund(12);

        at.pass(-20 * SECOND);
        assertThat(waitOf(reserve(limits, 5, 60 * SECOND))).isEqualTo(500_000);
        at.pass(600_000);
        assertThat(isAllowed(limits, 8, 0)).as("5 between, 3 and 5 later").isFalse();
        assertThat(isAllowed(limits, 7, 0)).isTrue();
        at.pass(950_000);
        assertThat(isAllowed(limits, 6, 0)).as("3, and 12 later").isFalse();
        assertThat(isAllowed(limits, 5, 0)).isTrue();
    }

    @Test
    void clockSetBack_jointRequests_doNotAdvanceTheirOtherKeys() {
        Limits tenant = Limits.parse("1000/1s");
        Limits user = Limits.parse("3/10ms resolution=1us");
        List<Request> both = List.of(Request.of("test", tenant, "tenant", 1), request(user, 1));
        for (int i = 0; i < 3; i++) {
            assertThat(redis.reserve(both, 0).decision().allowed()).isTrue();
        }
        at.pass(-20_000);
        for (int i = 0; i < 10; i++) {
            assertThat(redis.reserve(both, 0).decision().allowed()).isFalse();
        }
        at.pass(10_000);
        assertThat(redis.reserve(both, 0).decision().allowed()).isTrue();
    }

    /** A wait includes the time until the clock catches up, also when the clock is set back again. */
    @Test
    void clockSetBack_twice_reservationsKeepTheirDistance() {
        Limits limits = Limits.parse("1/1s resolution=1us");
        reserve(limits, 1, 0);
        at.pass(-SECOND / 2);
        long first = waitOf(reserve(limits, 1, 60 * SECOND));
        at.pass(-2 * SECOND);
        long second = waitOf(reserve(limits, 1, 60 * SECOND));

        assertThat(second - first).isGreaterThanOrEqualTo(SECOND);
    }

    /** Runs that have expired in the present window may count again in the wider one that was in effect before. */
    @Test
    void evictedUnderANarrowerWindow_widenedAgain_limitHolds() {
        Limits wide = Limits.parse("400/10s resolution=1us");
        for (int i = 0; i < 390; i++) {
            at.pass(1_000);
            reserve(wide, 1, 0).assertEqual();
        }
        at.pass(2 * SECOND);
        reserve(Limits.parse("400/1s resolution=1us"), 1, 0).assertEqual();
        commands.del(BLOCKS);
        reserve(Limits.parse("400/1s resolution=1us"), 1, 0);
        assertThat(reserve(wide, 9, 0).there().decision().allowed()).isFalse();
    }

    /** A state with instants beyond the server's numbers would be rejected as damaged. */
    @Test
    void reservations_beyondTheServersNumbers_areDeniedAsInMemory() {
        Limits limits = Limits.parse("1/17300d");
        for (int i = 0; i < 5; i++) {
            reserve(limits, 1, Long.MAX_VALUE / 1_000).assertEqual();
        }
    }

    /** Two at once, and 1,024 instants with reservations, the last of which has room for one more permit. */
    @Test
    void reservations_moreThanMayWait_areDeniedAsInMemory() {
        Limits limits = Limits.parse("2/1s resolution=1us");
        for (int granted = 0; granted <= 1_027; granted++) {
            if (granted == 1_025) { // until the first of them is due
                reserve(limits, 1, 3_600 * SECOND).assertEqual();
                at.pass(SECOND);
            }
            Pair reserved = reserve(limits, granted < 1_025 ? 2 : 1, 3_600 * SECOND);
            reserved.assertEqual();
            assertThat(reserved.there().decision().allowed()).isEqualTo(granted < 1_027);
        }
    }

    /** The only entry of a log has 4 bytes for its weight, and 4 for its distance to the time of the request. */
    @ParameterizedTest
    @CsvSource({"4294967296, 0, ''", "1, 2147483648, ''", "1, -2147483649, estimate=classic"})
    void firstEntry_largeNumbers_decidesAsInMemory(long permits, long ahead, String estimate) {
        Limits limits = Limits.parse("sliding-window 5000000000/1d buckets=24 " + estimate);
        at.set(StoreAtTime.START - StoreAtTime.START % (3_600 * SECOND) - ahead);
        reserve(limits, permits, 0).assertEqual();
        at.pass(SECOND);
        reserve(limits, 5_000_000_000L - permits, 0).assertEqual();
        reserve(limits, 1, 0).assertEqual();
    }

    /** A run has one of six encodings, by its distance to the run before it and its weight. */
    @ParameterizedTest
    @ValueSource(ints = {7, 14, 16, 21, 24, 32})
    void runs_nextToTheLimitsOfTheirEncodings_decidedAsInMemory(int bits) {
        Limits limits = Limits.parse("1000000/1d resolution=1us");
        for (long weight : new long[] {1, 2, 255, 256, 65_535, 65_536}) {
            for (long distance = (1L << bits) - 1; distance <= 1L << bits; distance++) {
                Blocking.reset(redis, request(limits, 1));
                Blocking.reset(memory, request(limits, 1));
                for (int i = 0; i < 6; i++) {
                    at.pass(i % 2 == 0 ? 5 : distance);
                    reserve(limits, weight, 0).assertEqual();
                }
                for (int i = 6; i > 0; i--) { // until the next of them expires
                    reserve(limits, 1_000_000 - i * weight + 1, 0).assertEqual();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket 10/10s", "gcra 10/10s burst=10", "leaky-bucket 10/10s capacity=10"})
    void refund_ofAPart_decidedAsInMemory(String limit) {
        Limits limits = Limits.parse(limit);
        Pair first = reserve(limits, 5, 0);
        first.refund(2);
        at.pass(1_000);
        reserve(limits, 1, 0).assertEqual();
    }

    /** The debt times the rate is more than 2^53. */
    @Test
    void tokenBucket_largeDebt_remainingIsAsInMemory() {
        Limits limits = Limits.parse("token-bucket 1000000/1000000s burst=20000");
        for (int i = 0; i < 5; i++) {
            reserve(limits, 3_999, 0).assertEqual();
            at.pass(400_001);
        }
        reserve(limits, 20_000, 0).assertEqual();
    }

    /** A refund that comes too late must not bring the former limit back: later reservations could not be refunded. */
    @ParameterizedTest
    @CsvSource({
        "token-bucket 10/10s, token-bucket 20/10s",
        "token-bucket 10/10s, token-bucket 10/10s burst=20",
        "fixed-window 10/10s, fixed-window 10/10s align=first"
    })
    void refund_underTheFormerLimit_keepsTheLimit(String former, String present) {
        Pair first = reserve(Limits.parse(former), 2, 0);
        at.pass(1_000);
        Pair second = reserve(Limits.parse(present), 3, 0);
        first.refund(2);
        second.refund(3);
        reserve(Limits.parse(present), 1, 0).assertEqual();
    }

    /** A reservation starts at the end of a tick, and a request in that tick is recorded at the same stamp. */
    @Test
    void refund_grantAtTheSameStamp_releasesThePermitsOnce() {
        Limits limits = Limits.parse("5/10s resolution=1s");
        block(limits, 10 * SECOND);
        Pair waiting = reserve(limits, 3, 10 * SECOND);
        waiting.assertEqual();
        unblock(limits);
        at.pass(10 * SECOND - 200_000);
        reserve(limits, 1, 0).assertEqual();

        waiting.refund(2);

        reserve(limits, 1, 0).assertEqual();
    }

    @Test
    void log_sumBecomesTooLargeWhilePermitsCount_restartsWithThem() {
        long half = 2_000_000_000_000_000L;
        Limits limits = Limits.parse(2 * half + "/1s");
        for (int i = 0; i < 8; i++) {
            reserve(limits, half, 0).assertEqual();
            at.pass(SECOND / 2 + 1_000);
        }
    }

    @Test
    void reset_longLog_removesItsBlocks() {
        Limits limits = Limits.parse("1000/1h");
        for (int i = 0; i < 300; i++) {
            at.pass(1_000);
            reserve(limits, 1, 0);
        }
        assertThat(commands.exists(KEY, BLOCKS)).isEqualTo(2);

        Blocking.reset(redis, request(limits, 1));

        assertThat(commands.exists(KEY, BLOCKS)).isZero();
    }
}
