package dev.weir.redis;

import dev.weir.redis.Batch.Group;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a batch from requests that are added key after key, and for each key in the order in which they are decided. Not
 * thread-safe.
 */
final class BatchBuilder {
    private final BatchCost costs;
    private final DenialCache denials;
    private final List<Group> groups = new ArrayList<>();
    private @Nullable Group latest;
    private double costOfLatest;
    private double cost;

    BatchBuilder(BatchCost costs, DenialCache denials) {
        this.costs = costs;
        this.denials = denials;
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Whether nothing more fits. */
    boolean isFull() {
        return cost >= BatchCost.MAX;
    }

    /**
     * Adds a request if the same script can decide it and the batch does not become too expensive. If it is not added, no other may
     * be added for its keys.
     */
    boolean add(PendingRequest pending) {
        Group group = latest;
        if (group == null) {
            return open(pending);
        }
        PendingRequest before = group.requests().get(group.requests().size() - 1);
        if (!pending.sharesScriptsWith(before)) {
            return false;
        }
        return pending.hasKeysOf(before)
                ? join(group, before, pending)
                : !hasOtherLimits(before, pending) && open(pending);
    }

    /** Whether two requests are for one key under different limits: in a script a key has the same limits each time. */
    private static boolean hasOtherLimits(PendingRequest before, PendingRequest pending) {
        return pending.requests().size() == 1
                && KeyId.of(pending.requests().get(0))
                        .equals(KeyId.of(before.requests().get(0)));
    }

    private boolean open(PendingRequest pending) {
        double more = BatchCost.of(pending);
        if (!fits(more)) {
            return false;
        }
        List<PendingRequest> requests = new ArrayList<>();
        requests.add(pending);
        latest = new Group(requests, denials.generation(pending.requests().get(0)));
        costOfLatest = more;
        groups.add(latest);
        return true;
    }

    private boolean join(Group group, PendingRequest before, PendingRequest pending) {
        double more = pending.equalTo(before) ? costs.ofEqual(pending) : BatchCost.of(pending);
        if (costOfLatest + more > BatchCost.MAX_PER_KEY || !fits(more)) {
            return false;
        }
        costOfLatest += more;
        group.requests().add(pending);
        return true;
    }

    /** Adds to the cost if that does not become too large. The first request always fits. */
    private boolean fits(double more) {
        boolean fits = groups.isEmpty() || cost + more <= BatchCost.MAX;
        cost = fits ? cost + more : BatchCost.MAX;
        return fits;
    }

    Batch build(int slot, long now) {
        return new Batch(slot, groups, now, isFull());
    }
}
