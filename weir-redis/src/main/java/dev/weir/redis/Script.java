package dev.weir.redis;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.Request;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scripts that run on the server, assembled from the pieces next to this class. The server runs a script from its top each time,
 * so that every function costs time in every call: requests are decided by the script of the family of their algorithms, which
 * defines what it needs.
 */
enum Script {
    /** Decides on requests whose limits are all logs: sliding logs and sliding windows. */
    DECIDE_LOGS(deciding(piece("log-head") + piece("log-straight"), "log", Pieces.log(""))),
    /** Decides on requests whose limits are all GCRA, token or leaky buckets. */
    DECIDE_SCHEDULES(deciding(piece("renewal") + piece("schedule-head"), "schedule", piece("schedule"))),
    /** Decides on requests whose limits are all fixed windows. */
    DECIDE_WINDOWS(deciding(piece("renewal") + piece("fixed-window-head"), "window", piece("fixed-window"))),
    /** Decides on any requests. */
    DECIDE_ANY(deciding(Pieces.heads() + piece("log-straight") + piece("straight-any"), "any", Pieces.families(""))),
    /** Refunds permits of a reservation. */
    REFUND(acting("refund", Pieces.heads() + Pieces.families(piece("log-refund")))),
    /** Denies all requests for a key, or lifts its block. */
    BLOCK(acting("block", Pieces.NO_FAMILY)),
    /** Removes the state of a key. */
    RESET(piece("reset")),
    /** Describes the state of a key. */
    INSPECT(acting("inspect", Pieces.heads() + Pieces.families(piece("log-inspect"))));

    @SuppressWarnings("ImmutableEnumChecker") // never handed out but to be sent
    private final byte[] text;

    private final String digest;

    Script(String source) {
        text = Pieces.withValues(source).getBytes(StandardCharsets.UTF_8);
        digest = sha1(text);
    }

    /** Returns the script that decides on joint requests with these limits. Requests of one batch have the same script. */
    static Script deciding(List<Request> requests) {
        Script family = null;
        for (Request request : requests) {
            for (Limit limit : request.limits().list()) {
                Script one = family(limit.accounting().method());
                if (family != null && one != family) {
                    return DECIDE_ANY;
                }
                family = one;
            }
        }
        return family == null ? DECIDE_ANY : family;
    }

    private static Script family(Method method) {
        return switch (method) {
            case LOG, LOG_OF_ATTEMPTS, BUCKETS, CLASSIC_BUCKETS -> DECIDE_LOGS;
            case TOKENS, QUEUE, SPACING -> DECIDE_SCHEDULES;
            case CLOCK_WINDOWS, FIRST_WINDOWS -> DECIDE_WINDOWS;
            case NOTHING -> DECIDE_ANY;
        };
    }

    /** Returns a script that decides by the straight path and the rules of a family. */
    private static String deciding(String straight, String family, String rules) {
        boolean any = family.equals("any");
        return piece("clock")
                + piece("request")
                + piece("limit")
                + straight
                + (any ? "" : "local straight = " + family + "Straight\n")
                + piece("straight")
                + piece("limits")
                + "local function defineSections()\n"
                + piece("straight-sections")
                + "return changeSections, write, statusesOf, decideSection\nend\n"
                + piece("straight-several")
                + "local function defineJoint()\n"
                + piece("straight-joint")
                + "return decideJointly\nend\n"
                + "local function defineRules()\n"
                + piece("checks")
                + rules
                + (any ? "" : "local function rulesOf()\nreturn " + family + "\nend\n")
                + piece("key")
                + piece("decide")
                + "return decideRest\nend\n"
                + piece("groups");
    }

    /** Returns a script that does something else with keys. */
    private static String acting(String name, String rules) {
        return piece("clock") + piece("limit") + piece("limits") + piece("checks") + rules + piece("key") + piece(name);
    }

    private static String function(String name, String text) {
        return "function " + name + "()\n" + text + "end\n";
    }

    /** Returns the script itself, which is sent once. */
    byte[] text() {
        return text;
    }

    /** Returns the digest by which the script is called from then on. */
    String digest() {
        return digest;
    }

    /** Returns how the server answers. */
    ScriptOutputType output() {
        return decides() || this == INSPECT ? ScriptOutputType.VALUE : ScriptOutputType.INTEGER;
    }

    /** Whether this decides on requests. */
    boolean decides() {
        return this == DECIDE_LOGS || this == DECIDE_SCHEDULES || this == DECIDE_WINDOWS || this == DECIDE_ANY;
    }

    /**
     * Loads all scripts. If SCRIPT LOAD is not permitted, or not answered in time, each is sent whole when it is first needed; then a
     * later request may overtake it.
     */
    static CompletableFuture<Void> load(RedisScriptingAsyncCommands<byte[], byte[]> commands) {
        CompletableFuture<?>[] loaded = Arrays.stream(values())
                .map(script ->
                        commands.scriptLoad(script.text).toCompletableFuture().handle((digest, refused) -> digest))
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(loaded)
                .completeOnTimeout(null, CircuitBreaker.PROBE_NANOS, TimeUnit.NANOSECONDS);
    }

    private static String piece(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException(name + ".lua is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String sha1(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** The pieces of families, and what chooses among them. */
    private static final class Pieces {
        private static final String LITERAL = "(?:'[^']*'|\\d+(?: \\^ \\d+)?)";
        private static final Pattern CONSTANTS =
                Pattern.compile("(?m)^local ([A-Z_, ]+) = (" + LITERAL + "(?:, " + LITERAL + ")*)(?: --.*)?\n");
        private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z_]*\\b");

        static final String NO_FAMILY = "local function rulesOf() end\n";

        static String heads() {
            return piece("log-head") + piece("renewal") + piece("schedule-head") + piece("fixed-window-head");
        }

        static String log(String more) {
            return piece("log")
                    + piece("log-grant")
                    + function("defineRareLog", piece("log-rare") + piece("log-pending") + piece("log-search"))
                    + more;
        }

        /** Returns all families, each defined when it is needed. */
        static String families(String moreOfLogs) {
            return "local families = {}\n"
                    + function("families.log", log(moreOfLogs) + "return log\n")
                    + function("families.window", piece("fixed-window") + "return window\n")
                    + function("families.schedule", piece("schedule") + "return schedule\n")
                    + function("families.unlimited", piece("unlimited") + "return unlimited\n")
                    + piece("families");
        }

        /** Returns a script with the values of its constants, names in capitals, in place of their names. */
        static String withValues(String source) {
            Map<String, String> values = new HashMap<>();
            String rest = CONSTANTS.matcher(source).replaceAll(line -> {
                String[] names = line.group(1).split(", ", -1);
                String[] literals = line.group(2).split(", ", -1);
                for (int i = 0; i < names.length; i++) {
                    String literal = literals[i].startsWith("'") ? literals[i] : "(" + literals[i] + ")";
                    String other = values.put(names[i], literal);
                    if (other != null && !other.equals(literal)) {
                        throw new IllegalStateException(names[i] + " has two values in a script");
                    }
                }
                return "";
            });
            return NAME.matcher(rest)
                    .replaceAll(name -> Matcher.quoteReplacement(values.getOrDefault(name.group(), name.group())));
        }
    }
}
