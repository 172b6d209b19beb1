package dev.weir.algorithm;

import dev.weir.Limit;
import java.util.Locale;

/**
 * A limit as the definitions read it: plain numbers, and the {@link Limit} that the engine gets, which is parsed from text.
 *
 * @param kind the algorithm and its mode
 * @param name the name, or empty
 * @param permits the number of permits per window
 * @param window the window in nanoseconds, without the margin
 * @param option the resolution in nanoseconds, the number of buckets, the burst or the capacity; see {@link Kind}
 * @param margin the margin of a sliding log in nanoseconds
 * @param limit the limit for the engine
 */
record Rule(Kind kind, String name, long permits, long window, long option, long margin, Limit limit) {

    /** An algorithm in one of its modes. */
    enum Kind {
        LOG("sliding-log", "resolution=%dns"),
        ATTEMPTS("sliding-log", "count=attempts resolution=%dns"),
        CONSERVATIVE("sliding-window", "buckets=%d"),
        CLASSIC("sliding-window", "estimate=classic buckets=%d"),
        ALIGNED("fixed-window", ""),
        FIRST("fixed-window", "align=first"),
        TOKEN_BUCKET("token-bucket", "burst=%d"),
        GCRA("gcra", "burst=%d"),
        LEAKY_BUCKET("leaky-bucket", "capacity=%d"),
        UNLIMITED("unlimited", "");

        final String algorithm;
        private final String options;

        Kind(String algorithm, String options) {
            this.algorithm = algorithm;
            this.options = options;
        }
    }

    static Rule of(Kind kind, String name, long permits, long window, long option, long margin) {
        StringBuilder text = new StringBuilder(kind.algorithm);
        if (kind != Kind.UNLIMITED) {
            text.append(' ').append(permits).append('/').append(window).append("ns ");
            text.append(String.format(Locale.ROOT, kind.options, option));
        }
        text.append(margin > 0 ? " margin=" + margin + "ns" : "").append(name.isEmpty() ? "" : " name=" + name);
        return new Rule(kind, name, permits, window, option, margin, Limit.parse(text.toString()));
    }

    /** Returns the name under which state is carried over. */
    String nameAt(int position) {
        return name.isEmpty() ? Integer.toString(position) : name;
    }

    boolean sameAlgorithm(Rule other) {
        return kind.algorithm.equals(other.kind.algorithm);
    }

    @Override
    public String toString() {
        return limit.toString();
    }
}
