package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SoakTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private static PrintStream printing(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static Options options(int seconds) {
        return new Options(false, Duration.ofSeconds(seconds), 4, 2_000);
    }

    private int here(int seconds, Function<TimeSource, Store> store) throws Exception {
        return Soak.here(options(seconds), store, printing(out), printing(err));
    }

    /** Doubles the duration until the fault is found, because a busy machine decides little in a second. */
    private int untilFound(Function<TimeSource, Store> store) throws Exception {
        int code = 0;
        for (int seconds = 1; code == 0 && seconds <= 64; seconds *= 2) {
            out.reset();
            code = here(seconds, store);
        }
        return code;
    }

    private int run(String... args) {
        return Soak.run(printing(out), printing(err), args);
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void here_memoryStore_breaksNothing() throws Exception {
        int code = here(
                5, timeSource -> MemoryStore.builder().timeSource(timeSource).build());

        assertThat(code).as(said()).isZero();
        assertThat(said()).containsPattern("violations +0\n").containsPattern("p99\\.9 [\\d.,]+ [um]s");
    }

    static Stream<Named<Function<TimeSource, Store>>> brokenStores() {
        return Stream.of(
                Named.of("its time is too fast", BrokenStore::withFastTime),
                Named.of("it counts in fixed windows", BrokenStore::countingFixedWindows),
                Named.of("it forgets keys", BrokenStore::forgetting),
                Named.of("it ignores changed limits", BrokenStore::ignoringChanges),
                Named.of("it loses reservations", BrokenStore::losingReservations));
    }

    @ParameterizedTest
    @MethodSource("brokenStores")
    void here_brokenStore_isFoundWithStamps(Function<TimeSource, Store> store) throws Exception {
        int code = untilFound(store);

        assertThat(code).as(said()).isOne();
        assertThat(said())
                .containsPattern(
                        "\\d+ permits where \\d+ may be, in the window up to \\d+, key \\S+, limit .*\n    \\d+ at ");
    }

    @Test
    void here_storeThatDeniesTooMuch_isFound() throws Exception {
        int code = untilFound(BrokenStore::denyingTooMuch);

        assertThat(code).as(said()).isOne();
        assertThat(said()).containsPattern("denied \\d at \\d+ with no more than \\d+ booked");
    }

    @Test
    void run_heapIsLarger_runsInAJvmOfItsOwn() {
        int code = run("--duration", "1s", "--keys", "1000", "--threads", "2");

        assertThat(code).as(said() + err).isZero();
        assertThat(said()).containsPattern("run +\\d s, 2 threads, 1,000 keys at a time, heap of 2\\d\\d MB");
        assertThat(err.size()).isZero();
    }

    @Test
    void run_help_saysHow() {
        assertThat(run("--help")).isZero();
        assertThat(said()).isEqualTo(Options.HELP);
    }

    @Test
    void run_misuse_isOneLineAndExitCode2() {
        assertThat(run("--duration", "soon")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("soak: --duration must be a time such as 5s, 10m or 1h, was 'soon'\n");
        assertThat(said()).isEmpty();
    }
}
