package dev.weir.server.live;

import dev.weir.server.live.Comparison.Outcome;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;

/** The rows of limits, now and in the last 5 minutes, and all of them together. Belongs to the thread that samples. */
final class LimitHistory {
    private static final int SUM_SECONDS = 5;

    private final LiveRecorder recorder;
    private final Ring allowed = new Ring(Ring.SECONDS);
    private final Ring denied = new Ring(Ring.SECONDS);
    private final Ring latencies = new Ring(Ring.SECONDS);
    private final Ring timeouts = new Ring(Ring.SECONDS);
    private final Ring localDecisions = new Ring(Ring.SECONDS);
    private final Ring dropped = new Ring(Ring.SECONDS);
    private final Ring outage = new Ring(Ring.SECONDS); // 1 for each second without the store
    private List<LimitRow> sampled = List.of(); // the rows in force at the latest sample
    private List<LimitRow> retired = List.of(); // in force at the sample before, and used since
    private List<LimitRow> rows = List.of(); // all of them, and those that were added since
    private int version;
    private List<Comparison> comparisons = List.of();
    private long second;

    LimitHistory(LiveRecorder recorder) {
        this.recorder = recorder;
    }

    /** Reads all counters at the end of a second, those of rows that were retired in it for the last time. */
    void sample(long second, StoreHealth.Second store) {
        this.second = second;
        recorder.rules.removeIdle(second);
        version += retired.isEmpty() ? 0 : 1;
        retired = new ArrayList<>(sampled);
        sampled = inForce();
        retired.removeAll(new HashSet<>(sampled));
        withRetired(sampled).forEach(row -> row.sample(second));
        retired.removeIf(row -> !row.isUsed());
        rows = withRetired(sampled);
        recorder.allowed.sample();
        recorder.denied.sample();
        recorder.dropped.sample();
        allowed.add(second, recorder.allowed.latest());
        denied.add(second, recorder.denied.latest());
        latencies.add(second, store.p99Micros() == null ? 0 : store.p99Micros());
        timeouts.add(second, store.failures());
        localDecisions.add(second, store.localDecisions());
        dropped.add(second, recorder.dropped.latest());
        outage.add(second, Math.min(1, store.outageSeconds()));
    }

    private List<LimitRow> inForce() {
        comparisons = recorder.rules.comparisons();
        List<LimitRow> found = new ArrayList<>(recorder.rules.rows());
        comparisons.forEach(comparison -> found.add(comparison.row()));
        return found;
    }

    private List<LimitRow> withRetired(List<LimitRow> inForce) {
        List<LimitRow> all = new ArrayList<>(inForce);
        all.addAll(retired);
        return all;
    }

    /** Returns a number that changes when retired rows are dropped; {@link RuleTable#version} changes with those in force. */
    int version() {
        return version;
    }

    /** Returns what was decided in the second. */
    JsonObject now() {
        JsonArray limits = new JsonArray();
        for (LimitRow row : rows) {
            if (row.changed()) {
                limits.add(new JsonArray()
                        .add(row.id)
                        .add(row.allowed.latest())
                        .add(row.denied.latest())
                        .add(row.keysNow()));
            }
        }
        return new JsonObject()
                .put("second", second)
                .put("allowed", recorder.allowed.latest())
                .put("denied", recorder.denied.latest())
                .put("dropped", recorder.dropped.latest())
                .put("limits", limits)
                .put("candidates", candidates(comparison -> comparison.row().isUsed()));
    }

    /** Returns how the decisions of all candidates and live limits differ. */
    JsonArray candidates() {
        return candidates(any -> true);
    }

    private JsonArray candidates(Predicate<Comparison> condition) {
        return new JsonArray(
                comparisons.stream().filter(condition).map(LimitHistory::cells).toList());
    }

    private static JsonArray cells(Comparison comparison) {
        JsonArray cells = new JsonArray().add(comparison.row().id);
        Arrays.stream(Outcome.values())
                .filter(Outcome::isDecided)
                .forEach(outcome -> cells.add(comparison.total(outcome)));
        return cells;
    }

    /** Returns the counts of all requests since the start. */
    JsonObject total() {
        return new JsonObject().put("allowed", recorder.allowed.total()).put("denied", recorder.denied.total());
    }

    /** Returns the rows and their counts since they exist. */
    JsonArray rows() {
        rows = withRetired(inForce());
        JsonArray limits = new JsonArray();
        for (LimitRow row : rows) {
            limits.add(new JsonObject()
                    .put("id", row.id)
                    .put("rule", row.rule.name())
                    .put("limit", row.text)
                    .put("mode", row.mode)
                    .put("of", row.of)
                    .put("allowed", row.allowed.total())
                    .put("denied", row.denied.total())
                    .put("keysDenied", row.keysNow()));
        }
        return limits;
    }

    /** Returns the last 5 minutes. */
    JsonObject before() {
        JsonObject limits = new JsonObject();
        for (LimitRow row : rows) {
            if (!row.allowedBefore.isEmpty(second) || !row.deniedBefore.isEmpty(second)) {
                JsonObject sums = new JsonObject()
                        .put("allowed", numbers(row.allowedBefore.sums(second, SUM_SECONDS)))
                        .put("denied", numbers(row.deniedBefore.sums(second, SUM_SECONDS)));
                limits.put(Integer.toString(row.id), sums);
            }
        }
        JsonArray micros = new JsonArray();
        for (long latency : latencies.sums(second, 1)) {
            micros.add(latency == 0 ? null : latency);
        }
        return new JsonObject()
                .put("second", second)
                .put("allowed", numbers(allowed.sums(second, 1)))
                .put("denied", numbers(denied.sums(second, 1)))
                .put("latencyMicros", micros)
                .put("timeouts", numbers(timeouts.sums(second, 1)))
                .put("localDecisions", numbers(localDecisions.sums(second, 1)))
                .put("dropped", numbers(dropped.sums(second, 1)))
                .put("outage", numbers(outage.sums(second, 1)))
                .put("limits", limits);
    }

    private static JsonArray numbers(long[] numbers) {
        return new JsonArray(Arrays.stream(numbers).boxed().toList());
    }
}
