package dev.weir.stress.soak;

/** How often what happened: one thread's, or the sum of several. */
final class Counts {
    long admitted;
    long denied;
    long waiting;
    long joint;
    long givenBack;
    long resets;
    long peeks;
    long admissionsChecked;
    long denialsChecked;

    void add(Counts other) {
        admitted += other.admitted;
        denied += other.denied;
        waiting += other.waiting;
        joint += other.joint;
        givenBack += other.givenBack;
        resets += other.resets;
        peeks += other.peeks;
        admissionsChecked += other.admissionsChecked;
        denialsChecked += other.denialsChecked;
    }

    long decisions() {
        return admitted + denied;
    }
}
