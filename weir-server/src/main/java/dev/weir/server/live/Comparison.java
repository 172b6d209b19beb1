package dev.weir.server.live;

import dev.weir.Limits;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.LongAdder;
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
    private final LongAdder bothAllow = new LongAdder();
    private final LongAdder bothDeny = new LongAdder();
    private final LongAdder onlyLiveDenies = new LongAdder();
    private final LongAdder onlyCandidateDenies = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final HllSketch keysDeniedByLive = DistinctKeys.sketch();
    private final HllSketch keysDeniedByCandidate = DistinctKeys.sketch();
    private long seen;

    /**
     * The counts of a comparison.
     *
     * @param bothAllow requests that both allow
     * @param bothDeny requests that both deny
     * @param onlyLiveDenies requests that the candidate would allow
     * @param onlyCandidateDenies requests that the candidate would deny
     * @param failed requests on which the store did not decide for the candidate
     * @param skipped requests that were not given to the candidate, because too many waited for its store
     */
    public record Counts(
            long bothAllow, long bothDeny, long onlyLiveDenies, long onlyCandidateDenies, long failed, long skipped) {}

    /**
     * Begins a comparison.
     *
     * @param live the texts of the live limits
     * @param candidate the candidate
     * @param row the row of the candidate
     */
    Comparison(String live, Limits candidate, LimitRow row) {
        this.live = live;
        this.candidate = candidate;
        this.row = row;
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

    /** Counts a request on which both decided. */
    void count(boolean liveDenies, boolean candidateDenies) {
        if (candidateDenies) {
            (liveDenies ? bothDeny : onlyCandidateDenies).increment();
        } else {
            (liveDenies ? onlyLiveDenies : bothAllow).increment();
        }
        (candidateDenies ? row.denied : row.allowed).increment();
    }

    /** Counts a request on which the candidate's store did not decide. */
    public void failed() {
        failed.increment();
    }

    /** Counts a request that was not given to the candidate. */
    public void skipped() {
        skipped.increment();
    }

    /** Adds a key that was denied by one or by both. */
    void addKey(long hash, long second, boolean liveDenies, boolean candidateDenies) {
        if (liveDenies) {
            keysDeniedByLive.update(hash);
        }
        if (candidateDenies) {
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

    /** {@return the counts since the comparison began} */
    public Counts counts() {
        return new Counts(
                bothAllow.sum(),
                bothDeny.sum(),
                onlyLiveDenies.sum(),
                onlyCandidateDenies.sum(),
                failed.sum(),
                skipped.sum());
    }

    /** Returns whether requests were compared since this was last asked. */
    boolean hasChanged() {
        Counts now = counts();
        long total = now.bothAllow + now.bothDeny + now.onlyLiveDenies + now.onlyCandidateDenies;
        boolean changed = total != seen;
        seen = total;
        return changed;
    }
}
