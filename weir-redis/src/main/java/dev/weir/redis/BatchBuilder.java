package dev.weir.redis;

import dev.weir.Request;
import dev.weir.redis.Batch.Group;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a batch from requests in order of arrival. For each key, requests are decided in this order: one that cannot be added
 * keeps back all later ones for its keys. Not thread-safe.
 */
final class BatchBuilder {
    private final BatchCost costs;
    private final DenialCache denials;
    private final List<Group> groups = new ArrayList<>();
    private final Map<KeyId, Group> latest = new HashMap<>(); // the last group for a key
    private final IdentityHashMap<Group, double[]> costOf = new IdentityHashMap<>();
    private final Set<KeyId> keptBack = new HashSet<>();
    private @Nullable Group previous; // of the request added before
    private double cost;

    BatchBuilder(BatchCost costs, DenialCache denials) {
        this.costs = costs;
        this.denials = denials;
    }

    /** Whether nothing more fits. */
    boolean isFull() {
        return cost >= BatchCost.MAX;
    }

    /** Adds a request if the same script can decide it and the batch does not become too expensive; else keeps it back. */
    boolean add(PendingRequest pending) {
        if (groups.isEmpty()) {
            return open(pending);
        }
        if (previous != null && keptBack.isEmpty() && pending.hasKeysOf(previous.first())) {
            return join(previous, pending) || keepBack(pending);
        }
        if (!pending.sharesScriptsWith(groups.get(0).first()) || isKeptBack(pending)) {
            return keepBack(pending);
        }
        Group known = latest.get(KeyId.of(pending.requests().get(0)));
        if (known != null && isLatest(known, pending) && pending.hasKeysOf(known.first())) {
            return join(known, pending) || keepBack(pending);
        }
        boolean separate = pending.requests().size() > 1 || known == null; // a key has the same limits in a script
        return (separate && open(pending)) || keepBack(pending);
    }

    private boolean open(PendingRequest pending) {
        double more = BatchCost.of(pending);
        if (!groups.isEmpty() && cost + more > BatchCost.MAX) {
            cost = BatchCost.MAX;
            return false;
        }
        cost += more;
        List<PendingRequest> requests = new ArrayList<>();
        requests.add(pending);
        Group group = new Group(requests, denials.generation(pending.requests().get(0)));
        groups.add(group);
        costOf.put(group, new double[] {more});
        for (Request request : pending.requests()) {
            latest.put(KeyId.of(request), group);
        }
        previous = group;
        return true;
    }

    private boolean join(Group group, PendingRequest pending) {
        PendingRequest last = group.requests().get(group.requests().size() - 1);
        double more = pending.equalTo(last) ? costs.ofEqual(pending) : BatchCost.of(pending);
        double[] ofGroup = Objects.requireNonNull(costOf.get(group));
        if (ofGroup[0] + more > BatchCost.MAX_PER_KEY) {
            return false;
        }
        if (cost + more > BatchCost.MAX) {
            cost = BatchCost.MAX;
            return false;
        }
        cost += more;
        ofGroup[0] += more;
        group.requests().add(pending);
        previous = group;
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // groups with equal content differ
    private boolean isLatest(Group group, PendingRequest pending) {
        for (Request request : pending.requests()) {
            if (latest.get(KeyId.of(request)) != group) {
                return false;
            }
        }
        return true;
    }

    private boolean isKeptBack(PendingRequest pending) {
        if (keptBack.isEmpty()) {
            return false;
        }
        for (Request request : pending.requests()) {
            if (keptBack.contains(KeyId.of(request))) {
                return true;
            }
        }
        return false;
    }

    private boolean keepBack(PendingRequest pending) {
        previous = null;
        for (Request request : pending.requests()) {
            keptBack.add(KeyId.of(request));
        }
        return false;
    }

    Batch build(int slot, long now) {
        return new Batch(slot, groups, now);
    }
}
