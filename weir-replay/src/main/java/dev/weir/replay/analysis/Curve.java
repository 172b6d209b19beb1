package dev.weir.replay.analysis;

import dev.weir.Limit;
import dev.weir.replay.ReplayResult.DeniedKey;
import java.util.List;

/**
 * What sliding logs with one window and different numbers of permits would have denied. Every figure is exact.
 *
 * @param windowNanos the length of the window
 * @param points from the lowest limit to the highest
 * @param suggestions limits to choose, each of them one of the points
 */
public record Curve(long windowNanos, List<Point> points, List<Suggestion> suggestions) {
    /** Copies the lists. */
    public Curve {
        points = List.copyOf(points);
        suggestions = List.copyOf(suggestions);
    }

    /** Returns the length of a tick of the sliding logs. A request is recorded at the end of its tick. */
    public long tickNanos() {
        return points.get(0).log().accounting().tickNanos();
    }

    /** Returns the suggestion to begin with. */
    public Suggestion main() {
        return suggestions.stream().filter(Suggestion::main).findFirst().orElseThrow();
    }

    /** Returns the position of the point of a suggestion. */
    public int indexOf(Suggestion suggestion) {
        return points.stream().map(Point::permits).toList().indexOf(suggestion.permits());
    }

    /** Returns the point of a suggestion. */
    public Point at(Suggestion suggestion) {
        return points.get(indexOf(suggestion));
    }

    /**
     * One limit.
     *
     * @param log the limit
     * @param deniedRequests how many requests it denies
     * @param deniedKeys how many keys it denies at least once
     * @param mostDenied the keys with the most denied requests, a few
     */
    public record Point(Limit log, long deniedRequests, int deniedKeys, List<DeniedKey> mostDenied) {
        /** Copies the list. */
        public Point {
            mostDenied = List.copyOf(mostDenied);
        }

        /** Returns the number of permits. */
        public long permits() {
            return log.permits();
        }
    }
}
