package dev.weir.benchmarks.run;

import dev.weir.benchmarks.limiter.Contestant;
import java.util.List;
import java.util.Map;

/** What is measured, in words and in JMH's terms. */
public enum Scenario {
    /** The clock. */
    NANO_TIME("System.nanoTime", "Floors.nanoTime"),
    /** The clock and an undisturbed write. */
    NANO_TIME_AND_CAS("nanoTime and a CAS of its own", "Floors.nanoTimeAndCas"),
    /** The clock, a look-up of one key, and a new decision: all of a public call but the deciding. */
    LOOK_UP_AND_DECISION("nanoTime, map get and a new Decision, one key", "Floors.lookUpAndDecision"),
    /** A look-up among many keys, and the clock. */
    MAP_100K("map get and clock, 100,000 keys", "ManyKeys.mapGetAndClock", "keys", "100000"),
    /** A look-up among very many keys, and the clock. */
    MAP_1M("map get and clock, 1,000,000 keys", "ManyKeys.mapGetAndClock", "keys", "1000000"),

    /** One key whose limit is out of reach. */
    BELOW("one key, below the limit", everyone(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "1000000000/1s"),
    /** The same with a small limit. */
    BELOW_10("one key, below 10 in 10 ns", everyone(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "10/10ns"),
    /** The same with a middling limit. */
    BELOW_1000(
            "one key, below 1,000 in 1 µs", everyone(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "1000/1us"),
    /** The same with a large limit. */
    BELOW_1M(
            "one key, below 1,000,000 in 1 ms",
            everyone(),
            Expectation.ALL_ALLOWED,
            "OneKey.below",
            "limits",
            "1000000/1ms"),
    /** One key, with a limit at half the speed. */
    AT_LIMIT("one key, at the limit", everyone(), Expectation.SOME_OF_EACH, "OneKey.atLimit"),
    /** One key that has used up its limit. */
    DENIED("one key, denied", everyone(), Expectation.ALL_DENIED, "OneKey.denied"),
    /** Many keys. */
    KEYS_100K("100,000 keys", everyone(), Expectation.ALL_ALLOWED, "ManyKeys.decide", "keys", "100000"),
    /** Very many keys. */
    KEYS_1M("1,000,000 keys", everyone(), Expectation.ALL_ALLOWED, "ManyKeys.decide", "keys", "1000000"),
    /** Two limits that hold together. */
    TWO_LIMITS(
            "one key, two limits",
            List.of(Contestant.WEIR, Contestant.BUCKET4J),
            Expectation.ALL_ALLOWED,
            "OneKey.below",
            "limits",
            "1000000000/1s,10000000000/10s"),
    /** A decision that the compiler may leave out. */
    NOT_ESCAPING(
            "one key, decision does not escape",
            everyone(),
            Expectation.ALL_ALLOWED,
            "OneKey.notEscaping",
            "limits",
            "1000000000/1s"),

    /** Weir's other algorithms. */
    SLIDING_WINDOW(
            "sliding-window",
            weir(),
            Expectation.ALL_ALLOWED,
            "OneKey.below",
            "limits",
            "sliding-window 1000000000/1s"),
    /** See {@link #SLIDING_WINDOW}. */
    FIXED_WINDOW(
            "fixed-window", weir(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "fixed-window 1000000000/1s"),
    /** See {@link #SLIDING_WINDOW}. */
    TOKEN_BUCKET(
            "token-bucket", weir(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "token-bucket 1000000000/1s"),
    /** See {@link #SLIDING_WINDOW}. */
    LEAKY_BUCKET(
            "leaky-bucket", weir(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "leaky-bucket 1000000000/1s"),
    /** See {@link #SLIDING_WINDOW}. */
    GCRA("gcra", weir(), Expectation.ALL_ALLOWED, "OneKey.below", "limits", "gcra 1000000000/1s");

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Contestant> contestants;

    private final Expectation expectation;
    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    private final Map<String, String> params;

    /** A floor: nobody's. */
    Scenario(String title, String method, String... param) {
        this(title, List.of(), Expectation.NOTHING_ASKED, method, param);
    }

    Scenario(String title, List<Contestant> contestants, Expectation expectation, String method, String... param) {
        this.title = title;
        this.contestants = contestants;
        this.expectation = expectation;
        this.method = method;
        this.params = param.length == 0 ? Map.of() : Map.of(param[0], param[1]);
    }

    private static List<Contestant> everyone() {
        return List.of(Contestant.values());
    }

    private static List<Contestant> weir() {
        return List.of(Contestant.WEIR);
    }

    /** In words. */
    public String title() {
        return title;
    }

    /** Who can take part; nobody in a floor. */
    public List<Contestant> contestants() {
        return contestants;
    }

    /** What has to have happened. */
    public Expectation expectation() {
        return expectation;
    }

    /** The simple name of JMH's class and method. */
    public String method() {
        return method;
    }

    /** JMH's parameters but for the limiter. */
    public Map<String, String> params() {
        return params;
    }

    /** Whether a fork has many keys to make first. */
    public boolean fillsKeys() {
        return params.containsKey("keys");
    }
}
