package dev.weir.benchmarks.memory;

import dev.weir.Decision;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** How one thread's requests were decided, reported to JMH, which sets them to 0 in each iteration. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Outcomes {
    /** Requests that were allowed. */
    public long allowed;

    /** Requests that were denied. */
    public long denied;

    Decision count(Decision decision) {
        count(decision.allowed());
        return decision;
    }

    boolean count(boolean passed) {
        if (passed) {
            allowed++;
        } else {
            denied++;
        }
        return passed;
    }
}
