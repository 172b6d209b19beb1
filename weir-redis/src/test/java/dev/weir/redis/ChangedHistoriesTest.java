package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Long histories in which the limits change, and one of many limits. */
final class ChangedHistoriesTest extends ComparedHistory {
    /** The parts of the log in the hash keep their names. */
    @Test
    void attemptsCount_afterALongLog_itsRunsExpireEachAtItsTime() {
        Limits plain = Limits.parse("600/1h");
        Limits attempts = Limits.parse("600/1h count=attempts");
        fill(plain, 600, SECOND);
        reserve(attempts, 1, 0).assertEqual();

        at.pass(3_200 * SECOND);

        reserve(attempts, 1, 0).assertEqual();
        assertThat(isAllowed(attempts, 1, 0)).isTrue();
    }

    @Test
    void attemptsCount_afterReservations_theseExpireEachAtItsTime() {
        Limits plain = Limits.parse("2/3ms");
        for (int i = 0; i < 4; i++) {
            reserve(plain, 2, SECOND).assertEqual();
        }
        at.pass(100);
        reserve(Limits.parse("1/1ms count=attempts"), 1, 0).assertEqual();
    }

    /** Between the requests, callers cancel reservations that they made before, or old processes decide by the former limit. */
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "refund", "old process"})
    void higherLimit_manyWait_roomIsGrantedAtOnce(String between) {
        Limits lower = Limits.parse("1000/1000s");
        Limits higher = Limits.parse("2000/1000s");
        fill(lower, 1_000, SECOND);
        List<Pair> waiting = IntStream.range(0, 1_000)
                .mapToObj(i -> reserve(lower, 1, 3_600 * SECOND))
                .toList();
        for (int i = 0; i < 40; i++) {
            if (between.equals("refund")) {
                waiting.get(i).refund(1);
            } else if (between.equals("old process")) {
                reserve(lower, 1, 0).assertEqual();
            }
            Pair granted = reserve(higher, 1, 0);
            granted.assertEqual();
            assertThat(granted.there().decision().allowed()).isTrue();
        }
    }

    /** Attempts are not refunded, so that a cancellation of one must not change the log of the present limit. */
    @Test
    void attempt_cancelledAfterTheChange_laterReservationsCanBeRefunded() {
        Limits plain = Limits.parse("10/1m");
        Pair attempt = reserve(Limits.parse("10/1m count=attempts"), 1, 0);
        at.pass(SECOND);
        reserve(plain, 9, 0).assertEqual();
        Pair waiting = reserve(plain, 10, 60 * SECOND);
        waiting.assertEqual();

        attempt.refund(1);
        waiting.refund(10);

        Pair next = reserve(plain, 10, 60 * SECOND);
        next.assertEqual();
        assertThat(waitOf(next)).isEqualTo(60 * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"400/1h", "400/2h", "400/59m"})
    void attemptsThatCouldNotDecide_afterAChange_doNotCountAgain(String changed) {
        Limits attempts = Limits.parse("200/1h count=attempts");
        for (int i = 0; i < 500; i++) {
            at.pass(SECOND);
            reserve(attempts, 1, 0).assertEqual();
        }
        reserve(Limits.parse(changed), 1, 0).assertEqual();
    }

    @Test
    void fixedWindows_becomeOne_theirCountsDoNotWrap() {
        long most = 1L << 52;
        Limits seconds = Limits.parse("fixed-window " + most + "/1s");
        Limits hours = Limits.parse("fixed-window " + most + "/1h");
        for (int i = 0; i < 16; i++) {
            reserve(seconds, most, 15 * SECOND).assertEqual();
        }
        reserve(hours, 1, 0).assertEqual();
        assertThat(isAllowed(hours, most, 0)).isFalse();
    }

    /** A search that only confirms an instant is not one of the bounded steps. */
    @Test
    void jointRequest_mostLimits_waitsBehindOthers() {
        Limits limits = Limits.parse("1/1m");
        List<Request> requests = IntStream.range(0, 64)
                .mapToObj(i -> Request.of("test", limits, "key " + i, 1))
                .toList();
        long hourNanos = 3_600 * SECOND * 1_000;
        for (int i = 0; i < 4; i++) {
            Pair joint = new Pair(redis.reserve(requests, hourNanos), memory.reserve(requests, hourNanos));
            joint.assertEqual();
            assertThat(waitOf(joint)).isEqualTo(60 * SECOND * i);
        }
        requests.forEach(request -> Blocking.reset(redis, request));
    }
}
