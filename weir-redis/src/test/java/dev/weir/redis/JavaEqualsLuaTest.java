package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TraceProperty;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Memory and Redis decide alike: runs random traces on both and compares every field of every decision.
 */
final class JavaEqualsLuaTest {
    private static final int CASES = (int) Math.min(10_000, Long.getLong("weir.traces", 3_300) / 300);
    private static final int LONG_CASES = Math.max(3, CASES / 10); // the fewest that find a fault in the tree of blocks
    private static final int STEPS = 60;
    private static final long START = 1_000_000;
    private static final long LATER = 1L << 40; // later than all windows are long

    @BeforeAll
    static void start() {
        ComparedTrace.startServers();
    }

    @AfterAll
    static void stop() {
        ComparedTrace.stopServers();
    }

    private static void check(List<Step> trace, int... kinds) {
        check(true, trace, kinds);
    }

    private static void check(boolean change, List<Step> trace, int... kinds) {
        new ComparedTrace(
                        change,
                        trace,
                        START,
                        Arrays.stream(kinds).mapToObj(RandomLimits.KINDS::get).toList())
                .check();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14})
    void oneLimit_anyTrace_decidesAlike(int kind) {
        TraceProperty.check(1000L * kind, CASES, STEPS, Step::any, trace -> check(trace, kind));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void severalLimits_anyTrace_decidesAlike(int limits) {
        TraceProperty.check(77_000L * limits, 4 * CASES, STEPS, Step::any, trace -> checkSeveral(trace, limits));
    }

    /** A trace that differed once: with all permits refunded, coarser buckets begin before the first request. */
    @Test
    void severalLimits_rareTrace_decidesAlike() {
        TraceProperty.check(233_639L, 1, STEPS, Step::any, trace -> checkSeveral(trace, 3));
    }

    private static void checkSeveral(List<Step> trace, int limits) {
        int[] kinds = new int[limits];
        for (int i = 0; i < limits; i++) {
            kinds[i] = (trace.get(0).which() + 3 * i + (int) trace.get(0).permits()) % RandomLimits.KINDS.size();
        }
        check(trace, kinds);
    }

    /** Logs only, which have a straight path, and limits that are added and removed but do not change. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void severalLogs_anyTrace_decidesAlike(int limits) {
        int[] logs = {0, 1, 2, 10, 9, 11};
        TraceProperty.check(88_000L * limits, 2 * CASES, 2 * STEPS, Step::withChanges, trace -> {
            int[] kinds = new int[limits];
            for (int i = 0; i < limits; i++) {
                kinds[i] =
                        logs[(trace.get(0).which() + 5 * i + (int) trace.get(0).permits() * i) % logs.length];
            }
            check(false, trace, kinds);
        });
    }

    /** Windows that shrink and grow again: expired runs stay removed, the others count again, and refunds find them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 9, 13, 14})
    void changedWindows_withRestsAndRefunds_decideAlike(int kind) {
        TraceProperty.check(900_000L, CASES, 2 * STEPS, Step::withOtherWindows, trace -> check(trace, kind));
    }

    /** Reservations in several groups, whose sums are those of their groups. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 3, 10, 13, 14})
    void manyReservations_anyTrace_decideAlike(int kind) {
        TraceProperty.check(
                400_000L + 1000L * kind, CASES / 3, 8 * STEPS, Step::mostlyWaiting, trace -> check(trace, kind));
    }

    /**
     * Long windows and many permits, whose runs take more bytes, and times after which the keys need a new expiry. Where attempts
     * count, the window does not change: dropped attempts may count again after that.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8})
    void oneLimit_ofAnySize_decidesAlike(int kind) {
        TraceProperty.check(
                600_000L + 1000L * kind,
                CASES / 2,
                2 * STEPS,
                Step::ofAnySize,
                trace -> new ComparedTrace(kind != 2, trace, LATER, List.of(RandomLimits.OF_ANY_SIZE.get(kind)))
                        .check());
    }

    /** Traces that differed once, each the only one of thousands: coarser ticks before a reservation, a search before a change. */
    @ParameterizedTest
    @CsvSource({"177, 0", "10122, 10", "500158, 3"})
    void oneLimit_rareTrace_decidesAlike(long seed, int kind) {
        TraceProperty.check(seed, 1, 200, Step::any, trace -> check(trace, kind));
    }

    /** A large number of reservations: the server keeps most of them in blocks. */
    @Test
    void longLog_anyTrace_decidesAlike() {
        TraceProperty.check(5_000_000L, LONG_CASES, 20 * STEPS, Step::mostlyGrants, trace -> check(trace, 9));

        for (RedisCommands<byte[], byte[]> commands : ComparedTrace.servers()) {
            assertThat(commands.keys("weir:{m:*}b")).as("blocks").isNotEmpty();
        }
    }

    /** Rests in which all blocks expire, but not the log: later blocks begin behind permits that no longer count. */
    @Test
    void longLog_restsBetween_decidesAlike() {
        TraceProperty.check(7_000_000L, LONG_CASES, 20 * STEPS, Step::withRests, trace -> check(trace, 9));
    }

    /** A log of medium length: its ends are read and written without the rest, and blocks are rare. */
    @ParameterizedTest
    @ValueSource(ints = {10, 11})
    void mediumLog_anyTrace_decidesAlike(int kind) {
        TraceProperty.check(
                6_000_000L + 1000L * kind, CASES / 3, 8 * STEPS, Step::mostlyGrants, trace -> check(trace, kind));
    }

    /**
     * The server's clock is set back by less than the shortest window: on both sides the time does not advance. Only memory keeps the
     * time of a denial.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void oneLimit_clockStepsBackALittle_decidesAlike(int kind) {
        TraceProperty.check(
                300_000L + 1000L * kind, CASES / 2, STEPS, Step::withClockSetBack, trace -> check(trace, kind));
    }
}
