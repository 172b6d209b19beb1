package dev.weir.redis;

import dev.weir.redis.Batch.Group;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds a pipeline from requests that are added key after key, and for each key in the order in which they are decided. Not
 * thread-safe.
 */
final class PipelineBuilder {
    private final BatchCost costs;
    private final DenialCache denials;
    private final Map<Integer, Script> scripts = new LinkedHashMap<>(1); // by slot
    private double cost;

    /** What one script decides: requests for keys of one slot. */
    private static final class Script {
        private final List<Group> groups = new ArrayList<>();
        private double costOfLatest;

        List<PendingRequest> latest() {
            return groups.get(groups.size() - 1).requests();
        }
    }

    PipelineBuilder(BatchCost costs, DenialCache denials) {
        this.costs = costs;
        this.denials = denials;
    }

    boolean isEmpty() {
        return scripts.isEmpty();
    }

    /** Whether nothing more fits. */
    boolean isFull() {
        return cost >= BatchCost.MAX;
    }

    /**
     * Adds a request if the script of its slot can decide it and the pipeline does not become too expensive. If it is not added, no
     * other may be added for its keys.
     */
    boolean add(PendingRequest pending) {
        Script script = scripts.get(pending.slot());
        if (script == null) {
            return open(new Script(), pending);
        }
        PendingRequest before = script.latest().get(script.latest().size() - 1);
        if (!pending.sharesScriptsWith(before)) {
            return false;
        }
        return pending.hasKeysOf(before)
                ? join(script, before, pending)
                : !hasOtherLimits(before, pending) && open(script, pending);
    }

    /** Whether two requests are for one key under different limits: in a script a key has the same limits each time. */
    private static boolean hasOtherLimits(PendingRequest before, PendingRequest pending) {
        return pending.requests().size() == 1
                && KeyId.of(pending.requests().get(0))
                        .equals(KeyId.of(before.requests().get(0)));
    }

    private boolean open(Script script, PendingRequest pending) {
        double more = BatchCost.of(pending);
        if (!fits(more)) {
            return false;
        }
        List<PendingRequest> requests = new ArrayList<>();
        requests.add(pending);
        script.groups.add(
                new Group(requests, denials.generation(pending.requests().get(0))));
        script.costOfLatest = more;
        scripts.putIfAbsent(pending.slot(), script);
        return true;
    }

    private boolean join(Script script, PendingRequest before, PendingRequest pending) {
        double more = pending.equalTo(before) ? costs.ofEqual(pending) : BatchCost.of(pending);
        if (script.costOfLatest + more > BatchCost.MAX_PER_KEY || !fits(more)) {
            return false;
        }
        script.costOfLatest += more;
        script.latest().add(pending);
        return true;
    }

    /** Adds to the cost if that does not become too large. The first request always fits. */
    private boolean fits(double more) {
        boolean fits = scripts.isEmpty() || cost + more <= BatchCost.MAX;
        cost = fits ? cost + more : BatchCost.MAX;
        return fits;
    }

    /** Returns the pipeline, with the requests of each slot in a batch. */
    Pipeline build(long now) {
        List<Batch> batches = new ArrayList<>(scripts.size());
        scripts.forEach((slot, script) -> batches.add(new Batch(slot, script.groups, now)));
        return new Pipeline(batches, now, Math.min(1, cost / BatchCost.MAX));
    }
}
