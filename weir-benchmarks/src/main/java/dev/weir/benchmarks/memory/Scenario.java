package dev.weir.benchmarks.memory;

import static dev.weir.benchmarks.memory.Contestant.ALL;
import static dev.weir.benchmarks.memory.Contestant.ONLY_WEIR;
import static dev.weir.benchmarks.memory.Contestant.WITH_TWO_LIMITS;

import dev.weir.benchmarks.memory.Measure.Expectation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is measured, in words and in JMH's terms. */
enum Scenario {
    // Floors: what no limiter does without.
    LOOK_UP_AND_DECISION("nanoTime, map get and a new Decision, one key", List.of(), "Floors.lookUpAndDecision"),
    LOOK_UP_CAS_AND_DECISION(
            "nanoTime, map get, a CAS and a new Decision, one key", List.of(), "Floors.lookUpCasAndDecision"),

    // One key whose limit is out of reach: a permit a nanosecond, which is more often than any clock can be read.
    BELOW("one key, below the limit", ALL, "OneKey.decide", "limits", "1000000000/1s"),

    // One key, with a limit at half the speed, or whose only permit of the day is used.
    AT_LIMIT("one key, at the limit", ALL, Expectation.SOME_OF_EACH, "OneKey.atLimit"),
    DENIED("one key, denied", ALL, Expectation.ALL_DENIED, "OneKey.decide", "limits", "1/1d"),
    KEYS_100K("100,000 keys", ALL, "ManyKeys.decide", "keys", "100000"),
    KEYS_1M("1,000,000 keys", ALL, "ManyKeys.decide", "keys", "1000000"),
    TWO_LIMITS("one key, two limits", WITH_TWO_LIMITS, "OneKey.decide", "limits", "1000000000/1s,10000000000/10s"),

    // The caller needs only whether it is allowed, for which the peers create no decision.
    ALLOWED_ONLY("one key, allowed() only", ALL, "OneKey.allowedOnly", "limits", "1000000000/1s"),
    TAIL("one key, below the limit, each call timed", ALL, "OneKey.decideTimed", "limits", "1000000000/1s"),

    // A key with 60,000 runs and 1,000 pending reservations.
    WAITING_ADMISSION("waiting: an admission", ONLY_WEIR, "Waiting.admission"),
    WAITING_DENIAL("waiting: a denial", ONLY_WEIR, Expectation.ALL_DENIED, "Waiting.denial"),
    WAITING_PEEK("waiting: a peek", ONLY_WEIR, Expectation.ALL_DENIED, "Waiting.peek"),
    WAITING_RESERVATION("waiting: a reservation and its cancel, each", ONLY_WEIR, "Waiting.reservationAndCancel"),
    WAITING_TAIL(
            "waiting: all of these, each call timed", ONLY_WEIR, Expectation.SOME_OF_EACH, "Waiting.allInTurnTimed");

    final String title;

    /** Those that can take part; none in a floor. */
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    final List<Contestant> contestants;

    final Expectation expectation;
    /** The simple name of JMH's class and method. */
    final String method;

    /** JMH's parameters, except the limiter. */
    @SuppressWarnings("ImmutableEnumChecker") // made by Map.of
    final Map<String, String> params;

    Scenario(String title, List<Contestant> contestants, String method, String... param) {
        this(title, contestants, contestants.isEmpty() ? Expectation.NOTHING : Expectation.ALL_ALLOWED, method, param);
    }

    Scenario(String title, List<Contestant> contestants, Expectation expectation, String method, String... param) {
        this.title = title;
        this.contestants = contestants;
        this.expectation = expectation;
        this.method = method;
        this.params = param.length == 0 ? Map.of() : Map.of(param[0], param[1]);
    }

    /** Returns what a decision on a key does not do without; null if no floor says that. */
    @Nullable
    Scenario floor() {
        return switch (this) {
            case DENIED -> LOOK_UP_AND_DECISION;
            case BELOW, TWO_LIMITS -> LOOK_UP_CAS_AND_DECISION;
            default -> null;
        };
    }

    /** Whether each call is timed, which itself takes some 20 ns. Its benchmark uses {@link CallTimes}. */
    boolean isTail() {
        return this == TAIL || this == WAITING_TAIL;
    }

    /** Returns the number of keys that a fork creates first, if there are many. */
    int keys() {
        return Integer.parseInt(params.getOrDefault("keys", "0"));
    }
}
