package dev.weir.server.live;

import dev.weir.Limit;
import dev.weir.server.config.Rule;
import dev.weir.server.live.Comparison.Outcome;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Records decisions, for {@link LiveSampler}. Thread-safe. An allowed request costs two counters; one that is denied, or that
 * leaves less than a fifth of a limit, is also handed to the thread that samples, which never blocks and may drop it.
 */
public final class LiveRecorder {
    private static final int NOTICED = 1 << 10;

    final RuleTable rules = new RuleTable();
    final EventQueue events = new EventQueue();
    final SampledCounter allowed = new SampledCounter();
    final SampledCounter denied = new SampledCounter();
    final SampledCounter dropped = new SampledCounter(); // denials that the lists miss
    private final AtomicReferenceArray<@Nullable Noticed> noticed = new AtomicReferenceArray<>(NOTICED);
    private volatile long second;

    /** A key that was found nearly full in a second; it is not reported again in that second. */
    private record Noticed(LimitRow row, String key, long second) {}

    /** Sets the rules of the configuration in force. */
    public void configure(Collection<Rule> configured) {
        rules.configure(configured);
    }

    /**
     * Returns the rows of a rule.
     *
     * @return its rows, or those of all others if there are too many rules
     */
    public RuleRows rule(RuleId id) {
        return rules.get(id);
    }

    /**
     * Counts the request of a client.
     *
     * @param granted whether the answer allowed it
     */
    public void request(boolean granted) {
        (granted ? allowed : denied).increment();
    }

    /** Counts what a limit allowed. */
    public void allowed(LimitRow row, String key, long remaining) {
        row.allowed.increment();
        Limit known = row.limit();
        if (known != null && Fullest.isNearlyFull(known, remaining) && isNew(row, key)) {
            long nanos = System.nanoTime();
            events.offer(lists -> lists.nearlyFull(row, key, remaining, nanos));
        }
    }

    /** A race reports a key twice, which is harmless. */
    private boolean isNew(LimitRow row, String key) {
        int slot = (key.hashCode() + row.id) & (NOTICED - 1);
        Noticed last = noticed.get(slot);
        if (last != null && last.second == second && last.row == row && last.key.equals(key)) {
            return false;
        }
        noticed.setRelease(slot, new Noticed(row, key, second));
        return true;
    }

    /**
     * Counts what a limit denied.
     *
     * @param remaining the permits that remain, fewer than were requested
     */
    public void denied(LimitRow row, String key, long remaining) {
        row.denied.increment();
        long nanos = System.nanoTime();
        if (!events.offer(lists -> lists.denied(row, key, remaining, nanos))) {
            dropped.increment();
        }
    }

    /** Counts what a limit would deny if it were in force. The key is not listed. */
    public void deniedInShadow(LimitRow row, String key) {
        row.denied.increment();
        events.offer(lists -> row.deniedKeys.add(LimitedKey.hash(key), lists.second()));
    }

    /** Counts a request on which live limits and a candidate were compared. */
    public void compared(Comparison comparison, String key, Outcome outcome) {
        comparison.count(outcome);
        if (outcome.liveDenies() || outcome.candidateDenies()) {
            events.offer(lists -> comparison.addKey(LimitedKey.hash(key), lists.second(), outcome));
        }
    }

    /** {@return the number of denials that were dropped since the start} */
    public long dropped() {
        return dropped.sum();
    }

    /** Begins a second. */
    void advance(long now) {
        second = now;
    }
}
