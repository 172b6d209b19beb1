package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.weir.benchmarks.redis.RedisEffort;
import dev.weir.benchmarks.run.Effort;
import dev.weir.benchmarks.run.Plan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line: options, and one line for every mistake. */
final class OptionsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int bench(String... args) {
        return Bench.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    @Test
    void parse_nothingMore_measuresEverything() {
        Options options = Options.parse("memory");

        assertThat(options).isEqualTo(new Options(false, false, false, false, null, null));
        assertThat(options.effort()).isEqualTo(Effort.FULL);
        assertThat(options.plan().measures()).isEqualTo(Plan.everything().measures());
        assertThat(options.command()).isEqualTo("./bench memory");
    }

    @Test
    void parse_quick_measuresTheGoals() {
        Options options = Options.parse("memory", "--json", "a.json", "--quick", "--write=b.md");

        assertThat(options).isEqualTo(new Options(false, false, true, false, "a.json", "b.md"));
        assertThat(options.effort()).isEqualTo(Effort.QUICK);
        assertThat(options.plan().measures()).isEqualTo(Plan.goals().measures());
        assertThat(options.command()).isEqualTo("./bench memory --quick");
    }

    @Test
    void parse_smoke_isShort() {
        Options options = Options.parse("memory", "--smoke");

        assertThat(options.effort()).isEqualTo(Effort.SMOKE);
        assertThat(options.plan().measures()).isEqualTo(Plan.everything().measures());
    }

    @Test
    void parse_redis_measuresOnRedis() {
        assertThat(Options.parse("redis", "--quick")).isEqualTo(new Options(true, false, true, false, null, null));
        assertThat(Options.parse("redis").redisEffort()).isEqualTo(RedisEffort.FULL);
        assertThat(Options.parse("redis", "--quick").redisEffort()).isEqualTo(RedisEffort.QUICK);
        assertThat(Options.parse("redis", "--smoke").redisEffort()).isEqualTo(RedisEffort.SMOKE);
        assertThat(Options.parse("redis", "--smoke").command()).isEqualTo("./bench redis --smoke");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "-h", "memory --help", "redis -h"})
    void run_help_isShown(String args) {
        assertThat(bench(args.isEmpty() ? new String[0] : args.split(" "))).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(Options.HELP)
                .contains("\nUsage: bench memory|redis");
        assertThat(err.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void run_mistake_isOneLine(String args, String complaint) {
        assertThat(bench(args.split(" "))).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("bench: " + complaint + System.lineSeparator());
        assertThat(out.size()).isZero();
    }

    static Stream<Arguments> mistakes() {
        String see = "; see 'bench --help'";
        return Stream.of(
                arguments("server --quick", "server is not built yet; there are memory and redis"),
                arguments("disk", "unknown benchmark 'disk'; there are memory and redis" + see),
                arguments("--quick", "say first what to measure: memory or redis" + see),
                arguments("memory --fast", "unknown option '--fast'" + see),
                arguments("memory -q", "unknown option '-q'" + see),
                arguments("memory redis", "'redis' is too many" + see),
                arguments("redis --slow", "unknown option '--slow'" + see),
                arguments("memory --quick --quick", "--quick is given twice"),
                arguments("memory --json a --json=b", "--json is given twice"),
                arguments("memory --quick=yes", "--quick takes no value" + see),
                arguments("memory --json", "--json needs a file's name" + see),
                arguments("memory --json --quick", "--json needs a file's name" + see),
                arguments("memory --json=", "--json needs a file's name" + see),
                arguments("memory --json no/such/directory/a", "cannot write no/such/directory/a"),
                arguments("memory --json .", "cannot write ."),
                arguments("memory --json \0", "cannot write \0: Nul character not allowed"));
    }

    @Test
    void run_pageWithoutPlaces_isRefused(@TempDir Path directory) throws IOException {
        Path page = Files.writeString(directory.resolve("page.md"), "<!-- bench: goals -->\n<!-- bench: end -->\n");

        assertThat(bench("memory", "--write", page.toString())).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("must be a page with a place for each of [goals, times, memory]");

        assertThat(bench("redis", "--write", page.toString())).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("must be a page with a place for each of [redis-goals, redis]");
    }
}
