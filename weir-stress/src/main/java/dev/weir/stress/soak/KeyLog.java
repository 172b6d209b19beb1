package dev.weir.stress.soak;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks what one limit of one key admitted, and keeps of it only what a later decision may still count. It does not use the
 * limiter's state; it counts again for each admission.
 *
 * <p><b>The rule.</b> Take an admission under N permits in a window W, recorded at z, and any instant t from z until before {@code
 * z + W}. The permits in {@code (t - W, t]} that were decided before it, itself included, are at most N. It holds for each admission
 * under the limit that its own call was given, so it holds while limits change; if none changes, no window ever contains more than N.
 *
 * <p>What counts: permits that were not refunded and whose key was not reset by then. A limiter that had only a short window may have
 * forgotten what a longer one would count, so permits count only until they expire under the longest window under which the key
 * admitted anything since, while they counted.
 *
 * <p>A result that may be right is accepted. If two calls overlap, either may have been decided first: the bound is the looser of both.
 * A reset or refund that overlaps a call may have come before it.
 *
 * <p><b>Denials:</b> a request is denied wrongly if all that may be recorded in the window, and one tick more on either side, leaves
 * room for it. The tick is the longest of the limits that admitted: a grant is recorded no earlier than the one before it, which may
 * be at the end of a longer tick.
 *
 * <p>Cost: for each admission one walk over what is kept. Not thread-safe.
 */
final class KeyLog {
    private static final Comparator<Admission> BY_START = Comparator.comparingLong(admission -> admission.start);

    final String key;
    final int stripe;
    private final long widest; // that a limit of this log may have, ticks included
    private List<Admission> kept = Collections.emptyList(); // sorted by start; most logs are empty

    /** What one call did to a log. */
    sealed interface Event permits Admission, Denial, Reset {
        KeyLog log();
    }

    /** A request that one limit denied, in a call from a reading of the time source, {@code start}, to {@code end}. */
    record Denial(KeyLog log, Limit limit, int permits, long start, long end) implements Event {}

    /** A reset of the key by a call that ran from {@code start} to {@code end}. */
    record Reset(KeyLog log, long start, long end) implements Event {}

    /** Creates the log of a key, checked by one thread of several; no window of it is longer than {@code widest}. */
    KeyLog(String key, int stripe, long widest) {
        this.key = key;
        this.stripe = stripe;
        this.widest = widest;
    }

    /**
     * Checks new events, all of which were decided by {@code now}; those of later calls are decided later. Counts the admissions of
     * which nothing can be said, because another call, a refund or a reset overlapped.
     */
    void check(List<Event> events, long now, Consumer<String> violations, LongAdder undecided) {
        List<Admission> all = kept.isEmpty() ? new ArrayList<>(2) : kept;
        List<Admission> admitted = ofKind(Admission.class, events);
        all.addAll(admitted);
        all.sort(BY_START);
        ofKind(Reset.class, events).forEach(reset -> all.forEach(admission -> admission.reset(reset.start, reset.end)));
        admitted.forEach(admission -> keepFor(admission, all));
        admitted.forEach(
                admission -> Stream.ofNullable(check(admission, all, undecided)).forEach(violations));
        ofKind(Denial.class, events)
                .forEach(denial -> Stream.ofNullable(check(denial, all)).forEach(violations));
        kept = all;
        forget(now);
    }

    private static <T extends Event> List<T> ofKind(Class<T> kind, List<Event> events) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Drops what no decision counts that begins now or later. */
    void forget(long now) {
        kept.removeIf(admission -> admission.stamp + widest <= now);
        kept = kept.isEmpty() ? Collections.emptyList() : kept;
    }

    /** What was known when this was admitted is kept for its window from then on. */
    private static void keepFor(Admission admission, List<Admission> all) {
        for (Admission other : all) {
            if (other.kept < admission.window()
                    && other.end < admission.start
                    && admission.end < other.stamp + other.kept
                    && other.surelyRecorded(admission.end) > 0) {
                other.kept = admission.window();
            }
        }
    }

    private @Nullable String check(Admission admission, List<Admission> all, LongAdder undecided) {
        long bound = admission.limit.permits();
        long end = admission.end;
        for (Admission other : all) {
            if (other.overlaps(admission)) {
                if (other.window() < admission.window()) {
                    undecided.increment();
                    return null; // if this was decided later, it may count less
                }
                bound = Math.max(bound, other.limit.permits());
                end = Math.max(end, other.end);
            }
        }
        if (admission.surelyRecorded(end) < admission.permits) {
            undecided.increment();
            return null;
        }
        String violation = checkAt(admission.stamp, admission, all, bound, end);
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
    private @Nullable String checkAt(long instant, Admission admission, List<Admission> all, long bound, long end) {
        long sum = 0;
        for (Admission other : all) {
            if (counts(other, instant, admission, end)) {
                sum += other.surelyRecorded(end);
            }
        }
        return sum <= bound
                ? null
                : violation(
                        sum + " permits where " + bound + " may be, in the window up to " + instant,
                        admission.limit,
                        all.stream()
                                .filter(other -> counts(other, instant, admission, end))
                                .toList());
    }

    private static boolean counts(Admission other, long instant, Admission admission, long end) {
        boolean inWindow = other.stamp <= instant && other.stamp > instant - admission.window();
        boolean isKept = other.stamp + other.kept > Math.min(instant, end);
        return inWindow && isKept && other.start <= admission.end;
    }

    private @Nullable String check(Denial denial, List<Admission> all) {
        Limit limit = denial.limit;
        long tick = all.stream()
                .mapToLong(other -> other.limit.accounting().tickNanos())
                .reduce(limit.accounting().tickNanos(), Math::max);
        long from = denial.start - limit.windowNanos() - 2 * tick;
        long recorded = all.stream()
                .filter(other -> other.stamp > from && other.start <= denial.end)
                .mapToLong(other -> other.maybeRecorded(denial.start))
                .sum();
        return recorded + denial.permits > limit.permits()
                ? null
                : violation(
                        "denied " + denial.permits + " at " + denial.start + " with at most " + recorded + " recorded",
                        limit,
                        all);
    }

    private String violation(String what, Limit limit, List<Admission> recorded) {
        return what + ", key " + key + ", limit " + limit
                + recorded.stream().map(admission -> "\n    " + admission).collect(Collectors.joining());
    }
}
