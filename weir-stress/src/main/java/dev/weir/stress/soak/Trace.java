package dev.weir.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one thread did in one round. Written by that thread, read by the checkers after the round. */
final class Trace {
    private static final int FULL = 20_000;

    final List<Admission> admissions = new ArrayList<>();
    final List<Denial> denials = new ArrayList<>();
    final List<Reset> resets = new ArrayList<>();

    /** Whether the round should end for this thread. */
    boolean isFull() {
        return admissions.size() + denials.size() >= FULL;
    }

    /** Hands out what concerns one stripe, and tells each log that was handed something. */
    void handOut(int stripe, Consumer<KeyLog> touched) {
        for (Admission admission : admissions) {
            if (admission.log.stripe == stripe && admission.log.add(admission)) {
                touched.accept(admission.log);
            }
        }
        for (Denial denial : denials) {
            if (denial.log().stripe == stripe && denial.log().add(denial)) {
                touched.accept(denial.log());
            }
        }
        for (Reset reset : resets) {
            if (reset.log().stripe == stripe && reset.log().add(reset)) {
                touched.accept(reset.log());
            }
        }
    }

    void clear() {
        admissions.clear();
        denials.clear();
        resets.clear();
    }
}
