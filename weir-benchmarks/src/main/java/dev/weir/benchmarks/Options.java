package dev.weir.benchmarks;

import dev.weir.benchmarks.redis.RedisEffort;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.run.Effort;
import dev.weir.benchmarks.run.Plan;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to measure.
 *
 * @param redis whether to measure limiters on Redis instead of those in memory
 * @param quick less, and for a shorter time
 * @param smoke only a moment of each
 * @param json the file for the goals, null if there is none
 * @param page the page to fill in, null if there is none
 */
record Options(
        boolean redis,
        boolean help,
        boolean quick,
        boolean smoke,
        @Nullable String json,
        @Nullable String page) {
    static final String HELP = """
            Measures Weir with other rate limiters beside it, and compares the figures with its goals.

            Usage: bench memory|redis [--quick] [--json FILE] [--write PAGE]

              memory          limiters in the memory of this JVM
              redis           limiters whose state is on Redis; starts a server of its own
              server          not built yet

              --quick         in under 10 minutes, of memory the goals only; without it memory takes about an hour,
                              redis a quarter of an hour
              --smoke         a moment of each: shows that everything runs, its figures mean nothing
              --json FILE     writes the goals to a file
              --write PAGE    writes the tables into a page, between its comments <!-- bench: ... -->
              -h, --help      shows this

            Exit codes:
              0  it ran, whatever it found
              1  it could not measure
              2  usage, or a file that cannot be written
            """;

    private static final String SEE = "; see 'bench --help'";

    /** The command line is wrong; the message says how. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads the command line. */
    static Options parse(String... args) {
        Deque<String> left = new ArrayDeque<>(List.of(args));
        if (args.length == 0 || left.contains("-h") || left.contains("--help")) {
            return new Options(false, true, false, false, null, null);
        }
        boolean redis = isRedis(left.pop());
        Set<String> given = new HashSet<>();
        String json = null;
        String page = null;
        while (!left.isEmpty()) {
            String option = option(left);
            if (!given.add(option)) {
                throw new UsageException(option + " is given twice");
            }
            switch (option) {
                case "--quick", "--smoke" -> {}
                case "--json" -> json = value(option, left);
                case "--write" -> page = value(option, left);
                default ->
                    throw new UsageException((option.startsWith("-")
                                    ? "unknown option '" + option + "'"
                                    : "'" + option + "' is too many")
                            + SEE);
            }
        }
        return new Options(redis, false, given.contains("--quick"), given.contains("--smoke"), json, page);
    }

    private static boolean isRedis(String name) {
        return switch (name) {
            case "memory" -> false;
            case "redis" -> true;
            case "server" -> throw new UsageException("server is not built yet; there are memory and redis");
            default ->
                throw new UsageException((name.startsWith("-")
                                ? "say first what to measure: memory or redis"
                                : "unknown benchmark '" + name + "'; there are memory and redis")
                        + SEE);
        };
    }

    /** Returns the next option; a value that is joined to it becomes the next word. */
    private static String option(Deque<String> left) {
        String option = left.pop();
        int equals = option.indexOf('=');
        if (option.startsWith("--") && equals > 0) {
            String name = option.substring(0, equals);
            if (!name.equals("--json") && !name.equals("--write")) {
                throw new UsageException(name + " takes no value" + SEE);
            }
            left.push(option.substring(equals + 1));
            return name;
        }
        return option;
    }

    private static String value(String option, Deque<String> left) {
        String value = left.poll();
        if (value == null || value.isEmpty() || value.startsWith("--")) {
            throw new UsageException(option + " needs a file's name" + SEE);
        }
        return value;
    }

    RedisEffort redisEffort() {
        return smoke ? RedisEffort.SMOKE : quick ? RedisEffort.QUICK : RedisEffort.FULL;
    }

    Effort effort() {
        return smoke ? Effort.SMOKE : quick ? Effort.QUICK : Effort.FULL;
    }

    Plan plan() {
        return quick ? Plan.goals() : Plan.everything();
    }

    /** Returns the places of the report on a page. */
    List<String> sections() {
        return redis ? Section.REDIS : Section.MEMORY;
    }

    /** Returns the command that measures this again. */
    String command() {
        return "./bench " + (redis ? "redis" : "memory") + (quick ? " --quick" : "") + (smoke ? " --smoke" : "");
    }
}
