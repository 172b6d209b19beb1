package dev.weir.benchmarks.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Limit;
import dev.weir.benchmarks.promise.Examination.Finding;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExaminationTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;

    /** 100 requests in the last 10 s of a minute, and 100 in the first 10 s of the next. */
    private static final Traffic AROUND_A_BOUNDARY = traffic(LongStream.concat(
            LongStream.range(0, 100).map(i -> 50 * SECOND + i * SECOND / 10),
            LongStream.range(0, 100).map(i -> MINUTE + i * SECOND / 10)));

    private static Traffic traffic(LongStream times) {
        return Traffic.ofOneClient("test", "test", times);
    }

    /** A counter that starts at zero each minute by the clock: it grants 200 in 20 s. */
    @Test
    void finding_overAdmittingToy_isCaught() {
        Finding finding = Player.inVirtualTime(AROUND_A_BOUNDARY, time -> {
            long[] minute = {-1};
            long[] count = {0};
            return client -> {
                count[0] = minute[0] == time.get() / MINUTE ? count[0] : 0;
                minute[0] = time.get() / MINUTE;
                return ++count[0] <= 100 ? 0 : Examination.DENIED;
            };
        });

        assertThat(finding).isEqualTo(new Finding(200, 200, 100, 200, 0));
        assertThat(finding.use()).isCloseTo(200, within(1e-9));
    }

    @Test
    void finding_limiterThatGrantsAll_isCaught() {
        Finding finding = Player.inVirtualTime(Traffic.fullDemand(), time -> client -> 0);

        assertThat(finding.worstWindow()).isEqualTo(6_000);
        assertThat(finding.possible()).isEqualTo(1_000);
    }

    /** Half of the limit: each denial is wrong. */
    @Test
    void finding_toyThatDeniesTooMuch_isCaught() {
        Finding finding = Player.inVirtualTime(AROUND_A_BOUNDARY, time -> {
            long[] left = {50};
            return client -> left[0]-- > 0 ? 0 : Examination.DENIED;
        });

        assertThat(finding).isEqualTo(new Finding(200, 50, 100, 50, 150));
        assertThat(finding.use()).isCloseTo(50, within(1e-9));
    }

    /** A waiting request counts when it is granted: ten a second in the order of their arrival. */
    @Test
    void finding_requestsThatWait_countAtTheEndOfTheWait() {
        Traffic traffic = traffic(LongStream.range(0, 700));
        long[] next = {0};

        Finding finding = Player.inVirtualTime(traffic, time -> client -> next[0]++ * SECOND / 10);

        assertThat(finding.granted()).isEqualTo(700);
        assertThat(finding.worstWindow()).isEqualTo(600);
    }

    @Test
    void finding_uncertainTimes_givesTheBenefitOfTheDoubt() {
        Examination examination = new Examination(Limit.parse("1/1m"), 0, 0);
        examination.add(0, 0, 5, 0);
        examination.add(0, MINUTE - 1, MINUTE + 5, 0); // may be a minute after the first
        examination.add(
                0, 2 * MINUTE + 3, 2 * MINUTE + 9, Examination.DENIED); // may be less than a minute after the second

        assertThat(examination.finding()).isEqualTo(new Finding(3, 2, 2, 1, 0));

        examination.add(0, 2 * MINUTE + 10, 2 * MINUTE + 11, Examination.DENIED);
        assertThat(examination.finding().wronglyDenied()).isEqualTo(1);
    }

    @Test
    void finding_withTolerance_forgivesOneUnit() {
        Examination examination = new Examination(Limit.parse("1/1m"), 10, 10);
        examination.add(0, 0, 0, 0);
        examination.add(0, MINUTE - 10, MINUTE - 10, 0);
        examination.add(0, 2 * MINUTE - 1, 2 * MINUTE - 1, Examination.DENIED);

        assertThat(examination.finding()).isEqualTo(new Finding(3, 2, 2, 1, 0));

        examination.add(0, 2 * MINUTE, 2 * MINUTE, Examination.DENIED);
        examination.add(0, 3 * MINUTE - 21, 3 * MINUTE - 21, 0);
        examination.add(0, 4 * MINUTE - 32, 4 * MINUTE - 32, 0);
        assertThat(examination.finding().wronglyDenied()).isEqualTo(1);
        assertThat(examination.finding().worstWindow()).isEqualTo(2);
    }

    /** Adds decisions of 2 per second, of which a grant may count for 2 ms longer; each takes a millisecond. */
    private static final class Known {
        private static final long MILLI = 1_000_000;
        private final Examination examination = new Examination(Limit.parse("2/1s"), 0, 2 * MILLI);

        void decided(int key, boolean allowed, long sent) {
            examination.add(key, sent, sent + MILLI, allowed ? 0 : Examination.DENIED);
        }
    }

    @Test
    void finding_rightDecisionsOfServer_areNotWrong() {
        Known known = new Known();
        known.decided(0, true, 0);
        known.decided(0, true, SECOND / 2);
        known.decided(0, false, SECOND - 1);
        known.decided(1, true, SECOND - 1);
        known.decided(0, true, SECOND + Known.MILLI);
        known.decided(0, false, SECOND + 2 * Known.MILLI);

        assertThat(known.examination.finding().requests()).isEqualTo(6);
        assertThat(known.examination.finding().worstWindow()).isEqualTo(2);
        assertThat(known.examination.finding().wronglyDenied()).isZero();
    }

    @Test
    void finding_oneTooManyOfServer_isWrong() {
        Known known = new Known();
        known.decided(0, true, 0);
        known.decided(0, true, SECOND / 2);
        known.decided(0, true, SECOND - 2 * Known.MILLI);

        assertThat(known.examination.finding().worstWindow()).isEqualTo(3);
    }

    @Test
    void finding_denialOfServerWithRoom_isWrong() {
        Known known = new Known();
        known.decided(0, true, 0);
        known.decided(0, false, SECOND / 2);
        assertThat(known.examination.finding().wronglyDenied()).isEqualTo(1);

        known.decided(0, true, SECOND / 2);
        known.decided(0, false, SECOND + 5 * Known.MILLI); // the first has expired
        assertThat(known.examination.finding().wronglyDenied()).isEqualTo(2);
    }
}
