package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of logs with many reservations or blocks, which random traces do not have. */
final class LongHistoriesTest extends ComparedHistory {
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    /** A group of 48 reservations is split when one is inserted among them. */
    @Test
    void reservations_betweenOthersInGroups_decidedAsInMemory() {
        Limits limits = Limits.parse("200/1s resolution=1us");
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            pairs.add(reserveAfter(limits, 5 * SECOND + 10_000L * i));
        }
        for (int i = 0; i < 50; i++) {
            pairs.add(reserveAfter(limits, 5 * SECOND + 5_000 + 10_000L * (i * 37 % 50)));
        }
        for (int i = 0; i < pairs.size(); i += 7) {
            pairs.get(i).refund(1);
            reserve(limits, 1 + i % 5, 60 * SECOND).assertEqual();
        }
        at.pass(5 * SECOND);
        for (int i = 0; i < 60; i++) {
            at.pass(25_000);
            reserve(limits, 1 + i % 3, i % 4 * SECOND).assertEqual();
        }
    }

    @Test
    void reservations_due_fieldsOfTheirGroupsAreDeleted() {
        Limits limits = Limits.parse("60/10s resolution=1us"); // so that requests are denied, which write no group
        for (int i = 0; i < 60; i++) {
            reserveAfter(limits, SECOND + 1_000L * i);
        }
        assertThat(commands.hlen(BLOCKS)).as("two groups, and their summaries").isEqualTo(3);
        at.pass(SECOND + 50_000);
        for (int i = 0; i < 7; i++) {
            reserve(limits, 1, 0).assertEqual();
        }
        assertThat(commands.hlen(BLOCKS)).isEqualTo(2);
    }

    /** What a search found under a lower limit is not valid for reservations under a higher one. */
    @Test
    void higherLimit_afterADeniedSearch_isSearchedAnew() {
        Limits lower = Limits.parse("205/10s resolution=1us");
        Limits higher = Limits.parse("220/10s resolution=1us");
        reserve(lower, 5, 0).assertEqual();
        at.pass(5 * SECOND);
        fill(lower, 200, 1_000); // so that there is a block
        reserve(lower, 5, 6 * SECOND).assertEqual();
        reserve(lower, 5, 6 * SECOND).assertEqual();
        at.pass(5 * SECOND);
        reserve(lower, 1, 0).assertEqual();
        block(higher, SECOND);
        assertThat(decideInOneScript(List.of(
                        JointRequest.of(List.of(request(higher, 1)), HOUR_NANOS),
                        JointRequest.of(List.of(request(higher, 5)), HOUR_NANOS))))
                .allSatisfy(answer -> assertThat(answer.decision().waitNanos()).isEqualTo(1_000 * SECOND));
    }

    /** A script moves only a few of them to the past. */
    @Test
    void reservations_mostExpired_remainingIsAsInMemory() {
        Limits limits = Limits.parse("2/1s resolution=1us");
        for (int i = 0; i < 30; i++) {
            reserve(limits, i < 29 ? 2 : 1, 60 * SECOND).assertEqual();
        }
        at.pass(29 * SECOND + SECOND / 2);
        assertThat(Blocking.peek(redis, request(limits, 1)).remaining())
                .isEqualTo(Blocking.peek(memory, request(limits, 1)).remaining());
    }

    /** Memory also rounds the runs that were granted at once, so it is not compared. */
    @ParameterizedTest
    @ValueSource(longs = {10_800_000, 12_800_000})
    void reservation_amongMoreRunsThanTicks_countsFromTheEndOfItsTick(long later) {
        Limits fine = Limits.parse("5000/10s resolution=1us");
        Limits coarse = Limits.parse("5000/10s resolution=4s");
        fill(fine, 2_200, 100);
        for (long wait : new long[] {SECOND, later}) {
            Blocking.block(redis, request(coarse, 1), wait * 1_000);
            assertThat(isAllowed(coarse, 1, 60 * SECOND)).isTrue();
            Blocking.unblock(redis, request(coarse, 1));
        }
        at.pass(2 * SECOND);
        assertThat(isAllowed(coarse, 5_000, 0)).isFalse();

        at.set(StoreAtTime.START + 10 * SECOND + SECOND / 2);
        assertThat(Blocking.peek(redis, request(coarse, 1)).remaining())
                .as("both count at the later one")
                .isEqualTo(4_998);
    }

    /** Runs that expired under the narrower window do not count again. */
    @Test
    void widerWindow_thenARefund_decidedAsInMemory() {
        Limits narrow = Limits.parse("400/1s resolution=1us");
        Limits wide = Limits.parse("400/10s resolution=1us");
        fill(narrow, 200, 1_000);
        at.pass(SECOND - 100_000);
        Pair later = reserve(narrow, 1, 0);
        fill(narrow, 150, 1_000);
        reserve(wide, 1, 0).assertEqual();
        later.refund(1);
        reserve(wide, 1, 0).assertEqual();
    }

    /** Those that are due but not moved to the past yet do not count among the 1,024 that may wait. */
    @Test
    void reservations_inOneScriptWhileManyAreDue_mayWait() {
        Limits limits = Limits.parse("1/1s resolution=1us");
        for (int i = 0; i < 1_024; i++) {
            assertThat(isAllowed(limits, 1, 3_600 * SECOND)).isTrue();
        }
        at.pass(100 * SECOND);
        assertThat(decideInOneScript(Collections.nCopies(11, JointRequest.of(List.of(request(limits, 1)), HOUR_NANOS))))
                .allSatisfy(answer -> assertThat(answer.decision().allowed()).isTrue());
    }

    private static List<Answer> decideInOneScript(List<JointRequest> group) {
        List<Request> requests = group.get(0).requests();
        byte[] packed = commands.evalsha(
                Script.deciding(requests).digest(),
                ScriptOutputType.VALUE,
                TimedScripts.KEYS.of(requests),
                PackedRequests.of(PackedRequests.time(at.now()), List.of(group), false));
        return Reply.answers(packed, List.of(group));
    }

    /** Only the newest attempts can decide, so that a flood of denied ones takes no more memory. */
    @Test
    void deniedAttempts_many_olderBlocksAreDropped() {
        Limits limits = Limits.parse("300/1h count=attempts resolution=1us");
        long unused = RepeatedScript.decide(commands, request(limits, 1), 3_000, at.now(), 1_000);
        assertThat(commands.hlen(BLOCKS)).isLessThan(8);
    }

    /** The tree of blocks has a second level from 64 blocks of 128 runs on. */
    @Test
    void manyBlocks_deniedRefundedAndExpired_decidedAsInMemory() {
        Limits limits = Limits.parse("20000/20s resolution=1us");
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            fill(limits, 1_200, 1_000);
            pairs.add(reserve(limits, 1, 0));
        }
        assertAllDenialsEqual(limits, 8_200);
        pairs.forEach(pair -> pair.refund(1));
        assertAllDenialsEqual(limits, 8_200);
        for (int i = 0; i < 3; i++) {
            at.pass(i == 0 ? 9 * SECOND : 4 * SECOND);
            reserve(limits, 1, 0).assertEqual();
            assertAllDenialsEqual(limits, 10_200 + 4_000 * i);
        }
    }

    private void assertAllDenialsEqual(Limits limits, long permits) {
        for (long more = permits; more <= 20_000; more += 300) {
            reserve(limits, more, 0).assertEqual();
        }
    }
}
