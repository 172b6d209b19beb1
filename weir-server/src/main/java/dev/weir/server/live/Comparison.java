package dev.weir.server.live;

import com.google.common.util.concurrent.AtomicLongMap;
import dev.weir.Limits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.datasketches.hll.HllSketch;

/**
 * A candidate beside the live limits of a rule: on how many requests the two agreed, and on how many they differed. The counters
 * are for any thread; the keys belong to the thread that samples.
 */
public final class Comparison {
    private final String live;
    private final Limits candidate;
    private final LimitRow row;
    private final Instant since = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final AtomicLongMap<Outcome> counts = AtomicLongMap.create();
    private final HllSketch keysDeniedByLive = DistinctKeys.sketch();
    private final HllSketch keysDeniedByCandidate = DistinctKeys.sketch();

    /** What a comparison says of a request. */
    public enum Outcome {
        BOTH_ALLOW,
        BOTH_DENY,
        ONLY_LIVE_DENIES,
        ONLY_CANDIDATE_DENIES,

        /** The store did not decide for the candidate. */
        FAILED,

        /** The candidate was not asked, because too many requests waited for its store. */
        SKIPPED;

        /** Returns the outcome of a request on which both decided. */
        public static Outcome of(boolean liveDenies, boolean candidateDenies) {
            return liveDenies
                    ? candidateDenies ? BOTH_DENY : ONLY_LIVE_DENIES
                    : candidateDenies ? ONLY_CANDIDATE_DENIES : BOTH_ALLOW;
        }

        boolean liveDenies() {
            return this == BOTH_DENY || this == ONLY_LIVE_DENIES;
        }

        boolean candidateDenies() {
            return this == BOTH_DENY || this == ONLY_CANDIDATE_DENIES;
        }

        boolean isDecided() {
            return this != FAILED && this != SKIPPED;
        }
    }

    /**
     * Begins a comparison.
     *
     * @param live the texts of the live limits
     */
    Comparison(String live, Limits candidate, LimitRow row) {
        this.live = live;
        this.candidate = candidate;
        this.row = row;
    }

    /** {@return the rule whose live limits are compared} */
    public RuleId rule() {
        return row.rule;
    }

    String live() {
        return live;
    }

    /** {@return the limits of the candidate} */
    public Limits candidate() {
        return candidate;
    }

    LimitRow row() {
        return row;
    }

    Instant since() {
        return since;
    }

    /** Counts a request. */
    void count(Outcome outcome) {
        counts.incrementAndGet(outcome);
        if (outcome.isDecided()) {
            (outcome.candidateDenies() ? row.denied : row.allowed).increment();
        }
    }

    /** Adds a key that was denied by one or by both. */
    void addKey(long hash, long second, Outcome outcome) {
        if (outcome.liveDenies()) {
            keysDeniedByLive.update(hash);
        }
        if (outcome.candidateDenies()) {
            keysDeniedByCandidate.update(hash);
            row.deniedKeys.add(hash, second);
        }
    }

    long keysDeniedByLive() {
        return Math.round(keysDeniedByLive.getEstimate());
    }

    long keysDeniedByCandidate() {
        return Math.round(keysDeniedByCandidate.getEstimate());
    }

    /** {@return the number of requests with an outcome since the comparison began} */
    public long total(Outcome outcome) {
        return counts.get(outcome);
    }
}
