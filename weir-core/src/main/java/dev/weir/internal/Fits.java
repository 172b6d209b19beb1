package dev.weir.internal;

import dev.weir.Limit;
import java.util.stream.LongStream;

/** The numbers of permits for which a snapshot reports when they fit. */
public final class Fits {
    private Fits() {}

    /** Returns 1, n/10, n/2 and n, without duplicates; n is the most that the limit grants at once. */
    public static long[] of(Limit limit) {
        long n = limit.maxPermitsPerRequest();
        return LongStream.of(1, Math.max(1, n / 10), Math.max(1, n / 2), n)
                .distinct()
                .toArray();
    }
}
