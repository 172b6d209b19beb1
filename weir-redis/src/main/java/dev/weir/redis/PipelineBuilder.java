package dev.weir.redis;

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
    private final Map<Integer, BatchBuilder> batches = new LinkedHashMap<>(1); // by slot
    private double cost;

    /** What one script decides: requests for keys of one slot. */
    private static final class BatchBuilder {
        private final List<List<PendingRequest>> groups = new ArrayList<>();
        private double costOfLatest;

        List<PendingRequest> latest() {
            return groups.get(groups.size() - 1);
        }
    }

    PipelineBuilder(BatchCost costs) {
        this.costs = costs;
    }

    boolean isEmpty() {
        return batches.isEmpty();
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
        BatchBuilder batch = batches.get(pending.slot());
        if (batch == null) {
            return open(new BatchBuilder(), pending);
        }
        PendingRequest before = batch.latest().get(batch.latest().size() - 1);
        if (pending.script() != before.script()) {
            return false;
        }
        return pending.hasKeysOf(before) ? join(batch, before, pending) : open(batch, pending);
    }

    private boolean open(BatchBuilder batch, PendingRequest pending) {
        double more = BatchCost.of(pending);
        if (!fits(more)) {
            return false;
        }
        List<PendingRequest> requests = new ArrayList<>();
        requests.add(pending);
        batch.groups.add(requests);
        batch.costOfLatest = more;
        batches.putIfAbsent(pending.slot(), batch);
        return true;
    }

    private boolean join(BatchBuilder batch, PendingRequest before, PendingRequest pending) {
        double more = pending.equalTo(before) ? costs.ofEqual(pending) : BatchCost.of(pending);
        if (batch.costOfLatest + more > BatchCost.MAX_PER_KEY || !fits(more)) {
            return false;
        }
        batch.costOfLatest += more;
        batch.latest().add(pending);
        return true;
    }

    /** Adds to the cost if that does not become too large. The first request always fits. */
    private boolean fits(double more) {
        boolean fits = batches.isEmpty() || cost + more <= BatchCost.MAX;
        cost = fits ? cost + more : BatchCost.MAX;
        return fits;
    }

    /** Returns the pipeline, with the requests of each slot in a batch. */
    Pipeline build(long now) {
        List<Batch> built = new ArrayList<>(batches.size());
        batches.forEach((slot, batch) -> built.add(new Batch(slot, batch.groups, now)));
        return new Pipeline(built, now, Math.min(1, cost / BatchCost.MAX));
    }
}
