package dev.weir.stress.soak;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a run came to.
 *
 * @param took all of it
 * @param deciding the rounds without the checking between them
 * @param callers the threads' counts
 * @param keysSeen how many keys were asked for
 * @param mostKeys how many the store had a state for at once, at most
 * @param changes how often a limiter's limits were changed
 */
record Outcome(
        Duration took,
        Duration deciding,
        List<Caller> callers,
        long keysSeen,
        int mostKeys,
        long changes,
        HeapMarks heap,
        Findings findings) {

    Outcome {
        callers = List.copyOf(callers);
    }

    /** Whether no limit was broken and the heap stayed flat. */
    boolean isFine() {
        return findings.count() == 0 && heap.isFlat();
    }

    /** What all threads did. */
    Counts counts() {
        Counts sum = new Counts();
        callers.forEach(caller -> sum.add(caller.counts));
        return sum;
    }

    /** How long decisions took, in nanoseconds. */
    Histogram latencies() {
        Histogram sum = new Histogram(3);
        callers.forEach(caller -> sum.add(caller.latencies));
        return sum;
    }
}
