package dev.weir.internal;

import dev.weir.TimeSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The time of a store: the maximum of all readings of its source. Thread-safe. */
public final class MonotonicTime implements LongSupplier {
    private final TimeSource source;
    private final AtomicLong latest = new AtomicLong(Long.MIN_VALUE);

    private MonotonicTime(TimeSource source) {
        this.source = source;
    }

    /** Returns the readings of a source, clamped; the system source is monotonic and is read directly. */
    public static LongSupplier of(TimeSource source) {
        return source == TimeSource.system() ? source::nanos : new MonotonicTime(source);
    }

    @Override
    public long getAsLong() {
        long reading = source.nanos();
        long seen = latest.get();
        return reading <= seen ? seen : latest.accumulateAndGet(reading, Math::max);
    }
}
