package dev.weir.stress.soak;

import org.HdrHistogram.Histogram;

/** What one thread did, or several together: how often each, and the time of a decision in nanoseconds. */
final class Counts {
    final Histogram latencies = new Histogram(3);
    long admitted;
    long denied;
    long waiting;
    long joint;
    long refunds;
    long resets;
    long peeks;
    long admissionsChecked;
    long denialsChecked;

    void add(Counts other) {
        latencies.add(other.latencies);
        admitted += other.admitted;
        denied += other.denied;
        waiting += other.waiting;
        joint += other.joint;
        refunds += other.refunds;
        resets += other.resets;
        peeks += other.peeks;
        admissionsChecked += other.admissionsChecked;
        denialsChecked += other.denialsChecked;
    }
}
