package dev.weir.stress.soak;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks what one limit of one key let through, and keeps of it only what a later decision may still count. It knows
 * nothing of the limiter's state; it counts anew for each admission.
 *
 * <p><b>The rule.</b> Take an admission under N permits a window W, booked at z, and any instant t from z until before
 * {@code z + W}. What is booked in {@code (t - W, t]} and was decided before it, itself included, is at most N. It holds
 * for each admission under the limit that its own call was given, so it holds while limits change; where none changes it
 * says that no window ever holds more than N.
 *
 * <p>What counts: permits that were not given back and whose key was not reset by then. And since a limiter that knew only
 * a short window may have forgotten what a longer one would count, permits count only until they have left the longest
 * window that the key admitted anything under since, while they counted.
 *
 * <p>Nothing is held against a limiter that may have been right. Where two calls overlap, either may have been decided
 * first: the bound is the looser of both. A reset or give-back that overlaps a call may have come before it.
 *
 * <p><b>Denials:</b> a request is denied wrongly if all that may be booked in the window, and one tick more on either side,
 * leaves room for it.
 *
 * <p>Cost: for each admission one walk over what is kept. Not thread-safe.
 */
final class KeyLog {
    private static final Comparator<Admission> BY_START = Comparator.comparingLong(admission -> admission.start);

    final String key;
    final int stripe;
    private final long widest; // that a limit of this log may have, ticks included
    private @Nullable List<Admission> kept; // sorted by start; null if empty, as most are

    private @Nullable List<Admission> fresh;
    private @Nullable List<Denial> denials;
    private @Nullable List<Reset> resets;

    /** The log of a key, checked by one thread of several; no window of it is longer than {@code widest}. */
    KeyLog(String key, int stripe, long widest) {
        this.key = key;
        this.stripe = stripe;
        this.widest = widest;
    }

    /** Adds what was admitted since the last check; true if it is the first that is added since. */
    boolean add(Admission admission) {
        boolean first = isUntouched();
        fresh = added(fresh, admission);
        return first;
    }

    /** Adds what was denied since the last check; true if it is the first that is added since. */
    boolean add(Denial denial) {
        boolean first = isUntouched();
        denials = added(denials, denial);
        return first;
    }

    /** Adds a reset since the last check; true if it is the first that is added since. */
    boolean add(Reset reset) {
        boolean first = isUntouched();
        resets = added(resets, reset);
        return first;
    }

    private boolean isUntouched() {
        return fresh == null && denials == null && resets == null;
    }

    private static <T> List<T> added(@Nullable List<T> list, T one) {
        List<T> added = list == null ? new ArrayList<>(2) : list;
        added.add(one);
        return added;
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    /** Checks what was added, all of which was decided by {@code now}; nothing that was is added later. */
    void check(long now, Consumer<Violation> violations) {
        List<Admission> all = kept == null ? new ArrayList<>(2) : kept;
        List<Admission> added = orNone(fresh);
        all.addAll(added);
        if (all.size() > 1 && !added.isEmpty()) {
            all.sort(BY_START);
        }
        for (Reset reset : orNone(resets)) {
            all.forEach(admission -> admission.reset(reset.start(), reset.end()));
        }
        for (Admission admission : added) {
            keepFor(admission, all);
        }
        for (Admission admission : added) {
            Violation violation = check(admission, all);
            if (violation != null) {
                violations.accept(violation);
            }
        }
        for (Denial denial : orNone(denials)) {
            Violation violation = check(denial, all);
            if (violation != null) {
                violations.accept(violation);
            }
        }
        fresh = null;
        denials = null;
        resets = null;
        kept = all;
        forget(now);
    }

    /** Lets go of what no decision counts that begins now or later. */
    void forget(long now) {
        if (kept != null) {
            kept.removeIf(admission -> admission.stamp + widest <= now);
            kept = kept.isEmpty() ? null : kept;
        }
    }

    /** What was known when this was admitted is kept for its window from then on. */
    private static void keepFor(Admission admission, List<Admission> all) {
        for (Admission other : all) {
            if (other.kept < admission.window()
                    && other.end < admission.start
                    && admission.end < other.stamp + other.kept
                    && other.surelyBooked(admission.end) > 0) {
                other.kept = admission.window();
            }
        }
    }

    private @Nullable Violation check(Admission admission, List<Admission> all) {
        long bound = admission.limit.permits();
        long end = admission.end;
        for (Admission other : all) {
            if (other.overlaps(admission)) {
                if (other.window() < admission.window()) {
                    return null; // if this was decided later, it may count less
                }
                bound = Math.max(bound, other.limit.permits());
                end = Math.max(end, other.end);
            }
        }
        Violation violation = checkAt(admission.stamp, admission, all, bound, end);
        for (Admission other : all) {
            if (violation == null
                    && other.stamp > admission.stamp
                    && other.stamp < admission.stamp + admission.window()
                    && other.start <= admission.end) {
                violation = checkAt(other.stamp, admission, all, bound, end);
            }
        }
        return violation;
    }

    /** Checks the window that ends at an instant, counting what was decided before an admission, by {@code end}. */
    private @Nullable Violation checkAt(long instant, Admission admission, List<Admission> all, long bound, long end) {
        if (admission.surelyBooked(end) < admission.permits) {
            return null;
        }
        long sum = 0;
        for (Admission other : all) {
            if (counts(other, instant, admission, end)) {
                sum += other.surelyBooked(end);
            }
        }
        if (sum <= bound) {
            return null;
        }
        List<String> stamps = all.stream()
                .filter(other -> counts(other, instant, admission, end))
                .map(Admission::toString)
                .toList();
        return new Violation(
                sum + " permits where " + bound + " may be, in the window up to " + instant,
                key,
                admission.limit,
                stamps);
    }

    private static boolean counts(Admission other, long instant, Admission admission, long end) {
        boolean inWindow = other.stamp <= instant && other.stamp > instant - admission.window();
        boolean isKept = other.stamp + other.kept > Math.min(instant, end);
        return inWindow && isKept && other.start <= admission.end;
    }

    private @Nullable Violation check(Denial denial, List<Admission> all) {
        Limit limit = denial.limit();
        long from = denial.start() - limit.windowNanos() - 2 * Stamps.tick(limit);
        long sum = denial.permits();
        for (Admission other : all) {
            if (other.stamp > from && other.start <= denial.end()) {
                sum += other.maybeBooked(denial.start());
            }
        }
        return sum > limit.permits()
                ? null
                : new Violation(
                        "denied " + denial.permits() + " at " + denial.start() + " with no more than "
                                + (sum - denial.permits()) + " booked",
                        key,
                        limit,
                        all.stream().map(Admission::toString).toList());
    }
}
