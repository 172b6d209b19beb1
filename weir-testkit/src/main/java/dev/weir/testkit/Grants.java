package dev.weir.testkit;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.testkit.Verdict.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The grants of one key under the limits of one name and algorithm, counted against the bound that the limit's documentation
 * states. Shares no code with the limiters and knows nothing of their state. Times are in ticks of the store.
 *
 * <p>Permits count until they expire under the longest window that was in effect, and are not counted again after that. The windows of
 * a fixed window limit that have not ended when its length changes are counted from then on.
 */
final class Grants {
    private final long tickNanos;
    private final boolean clockIsSteady; // else the windows of a clock may start anywhere
    private final List<Grant> grants = new ArrayList<>();
    private Limit latest;
    private int changes;
    private long widest; // window since nothing counted
    private long coarsest; // tick since then
    private long keptFor; // as long as stamps may count
    private boolean exact = true; // no limit has changed since then, and all permits refunded were released

    /** Permits of one request. */
    static final class Grant {
        private final long at;
        private final boolean waited;
        private final boolean denied; // an attempt that counts
        private final Limit limit;
        private final int change;
        private long permits;
        private final long largest;
        private boolean forgotten;
        private long countedAt;

        private Grant(long at, boolean waited, boolean denied, long permits, Limit limit, int change) {
            this.at = at;
            this.waited = waited;
            this.denied = denied;
            this.permits = permits;
            this.largest = permits;
            this.limit = limit;
            this.change = change;
            this.countedAt = at;
        }

        @Override
        public String toString() {
            return (denied ? "denied " : "") + permits + " at " + at;
        }
    }

    Grants(Limit limit, long tickNanos, boolean clockIsSteady) {
        this.latest = limit;
        this.tickNanos = tickNanos;
        this.clockIsSteady = clockIsSteady;
    }

    /** Returns the algorithms that share state with that of a limit. */
    static String family(Limit limit) {
        return switch (method(limit)) {
            case LOG, LOG_OF_ATTEMPTS -> "log";
            case BUCKETS, CLASSIC_BUCKETS -> "buckets";
            case CLOCK_WINDOWS, FIRST_WINDOWS -> "windows";
            case TOKENS, SPACING, QUEUE, NOTHING -> method(limit).name();
        };
    }

    private static Method method(Limit limit) {
        return limit.accounting().method();
    }

    private long window(Limit limit) {
        return (limit.accounting().windowNanos() + tickNanos - 1) / tickNanos;
    }

    private long tick(Limit limit) {
        return (limit.accounting().tickNanos() + tickNanos - 1) / tickNanos;
    }

    private boolean isLog() {
        return family(latest).equals("log") || family(latest).equals("buckets");
    }

    /** Records that a request is decided under a limit. */
    void decided(Limit limit, long now) {
        if (isLog()) {
            boolean byStart =
                    method(latest) == Method.CLASSIC_BUCKETS || (family(latest).equals("buckets") && !exact);
            long earlier = byStart ? coarsest : 0; // a bucket may have expired with its start
            grants.removeIf(grant -> grant.at + keptFor <= now);
            grants.forEach(grant -> grant.forgotten |= grant.at + widest - earlier <= now);
            widest = grants.stream().allMatch(grant -> grant.forgotten || grant.permits == 0) ? 0 : widest;
        }
        if (!latest.equals(limit)) {
            changes++;
            exact = false;
            carryWindows(latest, limit, now);
        }
        if (grants.isEmpty()) {
            keptFor = 0;
            coarsest = 0;
            exact = true;
        }
        latest = limit;
        widest = Math.max(widest, window(limit));
        coarsest = Math.max(coarsest, tick(limit));
        keptFor = Math.max(keptFor, widest + coarsest);
    }

    /** Counts the grants of a window that has not ended from now on; those of others no longer. */
    private void carryWindows(Limit before, Limit after, long now) {
        if (!family(before).equals("windows") || (window(before) == window(after) && method(before) == method(after))) {
            return;
        }
        long length = window(before);
        for (Grant grant : grants) {
            boolean counts = method(before) == Method.CLOCK_WINDOWS
                    && grant.countedAt <= now
                    && Math.floorDiv(grant.countedAt, length) == Math.floorDiv(now, length);
            grant.forgotten |= !counts;
            grant.countedAt = now;
        }
    }

    /** Adds a grant. Returns a description of the bound that it breaks, or nothing. */
    String add(long now, long at, long permits) {
        grants.add(new Grant(at, at > now, false, permits, latest, changes));
        String broken = broken(grants, at, false);
        return !broken.isEmpty() || method(latest) != Method.QUEUE ? broken : queued(grants, now);
    }

    /** Returns the newest grant. */
    Grant newest() {
        return grants.get(grants.size() - 1);
    }

    /** Adds a denied request, if it counts. */
    void addDenied(long now, long permits) {
        if (method(latest) == Method.LOG_OF_ATTEMPTS) {
            grants.add(new Grant(now, false, true, Math.min(permits, latest.permits()), latest, changes));
        }
    }

    /** Refunds permits of a grant. Those of attempts are not refunded. */
    void refund(Grant grant, long permits) {
        if (method(grant.limit) != Method.LOG_OF_ATTEMPTS) {
            grant.permits -= permits;
            exact &= isLog() || method(grant.limit) == Method.CLOCK_WINDOWS; // other algorithms may forfeit permits
        }
    }

    /** Returns whether permits at an instant would break no bound and nothing unknown here may prevent them. */
    boolean mustFit(long now, long permits) {
        boolean known = switch (method(latest)) {
            case LOG, BUCKETS, CLOCK_WINDOWS -> true;
            case TOKENS, SPACING -> grants.stream().noneMatch(grant -> grant.at > now);
            default -> false;
        };
        List<Grant> after = new ArrayList<>(grants);
        after.add(new Grant(now, false, false, permits, latest, changes));
        return known && exact && broken(after, now, true).isEmpty();
    }

    private String broken(List<Grant> all, long at, boolean rounded) {
        Limit limit = latest;
        long most = limit.permits();
        long window = window(limit);
        List<Grant> counted = counted(all, rounded);
        List<Grant> unchanged =
                counted.stream().filter(grant -> grant.change == changes).toList();
        long largest =
                unchanged.stream().mapToLong(grant -> grant.largest).max().orElse(1);
        return switch (method(limit)) {
            case LOG -> {
                boolean dropped = all.stream().anyMatch(grant -> grant.denied); // attempts beyond the newest N
                yield slide(dropped ? unchanged : counted, at, window, most, rounded ? tick(limit) : 1);
            }
            case LOG_OF_ATTEMPTS -> slide(unchanged, at, window, most, 1);
            case BUCKETS, CLASSIC_BUCKETS -> {
                boolean wasClassic = method(limit) == Method.CLASSIC_BUCKETS || !exact;
                yield slide(counted, at, wasClassic ? window - coarsest : window, most, rounded ? tick(limit) : 1);
            }
            case CLOCK_WINDOWS ->
                clockIsSteady ? ofClock(counted, at, window, most) : slide(counted, at, window, 2 * most, 1);
            case FIRST_WINDOWS -> {
                if (isTrace()) {
                    yield checked(counted);
                }
                long highest = counted.stream()
                        .mapToLong(grant -> grant.limit.permits())
                        .max()
                        .orElse(0);
                yield slide(counted, at, window, 2 * highest, 1);
            }
            case TOKENS, SPACING -> spans(counted);
            case QUEUE -> isTrace() ? checked(counted) : slide(unchanged, at, window, most + largest - 1, 1);
            case NOTHING -> "";
        };
    }

    /** Returns whether the grants satisfy what a trace of a single limit does. */
    private boolean isTrace() {
        return changes == 0 && clockIsSteady;
    }

    /** Checks grants as a trace, whose bound does not depend on the instant of the latest one. */
    private String checked(List<Grant> counted) {
        List<TraceEvent> trace = counted.stream()
                .map(grant -> new TraceEvent(grant.at * tickNanos, "key", grant.permits, TraceEvent.Kind.ALLOWED))
                .toList();
        Violation broken = TraceChecker.check(latest, trace).violation();
        return broken == null ? "" : broken + ": " + counted;
    }

    private List<Grant> counted(List<Grant> all, boolean rounded) {
        return all.stream()
                .filter(grant -> grant.permits > 0 && (rounded || !grant.forgotten))
                .filter(grant -> !grant.denied || method(latest) == Method.LOG_OF_ATTEMPTS)
                .sorted(Comparator.comparingLong(grant -> grant.at))
                .toList();
    }

    /** Counts each window that ends with a grant and has the one at an instant. */
    private static String slide(List<Grant> counted, long at, long window, long most, long tick) {
        for (Grant last : counted) {
            long end = last.at;
            if (end >= at && end < up(at, tick) + window) {
                long sum = 0;
                for (Grant grant : counted) {
                    long stamp = grant.waited ? grant.at : up(grant.at, tick);
                    sum += stamp > end - window && stamp <= up(end, tick) ? grant.permits : 0;
                }
                if (sum > most) {
                    return sum + " in (" + (end - window) + ", " + end + "], above " + most + ": " + counted;
                }
            }
        }
        return "";
    }

    private static long up(long at, long tick) {
        return -Math.floorDiv(-at, tick) * tick;
    }

    private static String ofClock(List<Grant> counted, long at, long window, long most) {
        long sum = counted.stream()
                .filter(grant -> Math.floorDiv(grant.countedAt, window) == Math.floorDiv(at, window))
                .mapToLong(grant -> grant.permits)
                .sum();
        return sum > most ? sum + " in the window of " + at + ", above " + most + ": " + counted : "";
    }

    /** Counts what the permits of each span cost, as time: at most the span itself and a burst. */
    private String spans(List<Grant> counted) {
        double burst = cost(latest) * latest.accounting().burst();
        for (int from = Math.max(0, counted.size() - 60); from < counted.size(); from++) {
            double sum = 0;
            for (Grant last : counted.subList(from, counted.size())) {
                sum += last.permits * cost(last.limit);
                long span = last.at - counted.get(from).at;
                if (last.change == changes && sum > span + burst + 1e-7) {
                    return "permits for " + sum + " in " + span + ", above the span and " + burst + ": " + counted;
                }
            }
        }
        return "";
    }

    private double cost(Limit limit) {
        return (double) window(limit) / limit.permits();
    }

    /** Counts what the permits that wait in a queue cost, as time: those from before a change keep their cost. */
    private String queued(List<Grant> counted, long now) {
        double sum = counted.stream()
                .filter(grant -> grant.at > now)
                .mapToDouble(grant -> grant.permits * cost(grant.limit))
                .sum();
        double room = cost(latest) * latest.accounting().burst() + 1e-7;
        return sum > room ? "permits for " + sum + " wait at " + now + ", above " + room + ": " + counted : "";
    }
}
