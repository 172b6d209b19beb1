package dev.weir.stress.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TimeSource;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class SoakTest {
    private static final String EXCEEDED =
            "\\d+ permits where \\d+ may be, in the window up to \\d+, key \\S+, limit .*\n    \\d+ at ";
    private static final String DENIED = "denied \\d at \\d+ with at most \\d+ recorded";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(int seconds, Function<TimeSource, Store> store) throws Exception {
        out.reset();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        return Soak.here(new Soak.Options(Duration.ofSeconds(seconds), 4, 2_000), store, printed, printed);
    }

    @Test
    void here_memoryStore_breaksNothing() throws Exception {
        int code = run(
                5, timeSource -> MemoryStore.builder().timeSource(timeSource).build());

        assertThat(code).as("%s", out).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsPattern("violations +0\n")
                .containsPattern("p99\\.9 [\\d.,]+ [um]s");
    }

    static Stream<Named<Function<TimeSource, Store>>> exceeding() {
        return Stream.of(
                Named.of("its time is too fast", BrokenStore::withFastTime),
                Named.of("it counts in fixed windows", BrokenStore::countingFixedWindows),
                Named.of("it forgets keys", BrokenStore::forgetting),
                Named.of("it ignores changed limits", BrokenStore::ignoringChanges),
                Named.of("it loses reservations", BrokenStore::losingReservations));
    }

    @ParameterizedTest
    @MethodSource("exceeding")
    void here_storeThatAdmitsTooMuch_isFoundWithStamps(Function<TimeSource, Store> fault) throws Exception {
        assertThat(isFound(fault, EXCEEDED)).as("%s", out).isTrue();
    }

    @Test
    void here_storeThatDeniesTooMuch_isFound() throws Exception {
        assertThat(isFound(BrokenStore::denyingTooMuch, DENIED)).as("%s", out).isTrue();
    }

    @Test
    void run_threadThatHangs_isReported() {
        Soak.Options options = new Soak.Options(Duration.ofSeconds(60), 2, 100);
        Rounds rounds = new Rounds(options, new Witness(BrokenStore::hanging), nanos -> {}, 2_000_000_000);

        assertThatThrownBy(rounds::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a thread hangs: no end within 2 s");
    }

    /** Doubles the duration until the fault is found, because a busy machine decides little in a second. */
    private boolean isFound(Function<TimeSource, Store> fault, String pattern) throws Exception {
        int code = 0;
        for (int seconds = 1; code == 0 && seconds <= 64; seconds *= 2) {
            code = run(seconds, fault);
        }
        return code == 1
                && Pattern.compile(pattern)
                        .matcher(out.toString(StandardCharsets.UTF_8))
                        .find();
    }
}
