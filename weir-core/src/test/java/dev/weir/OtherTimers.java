package dev.weir;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** The time of a source, with timers that a function makes. */
public record OtherTimers(TimeSource time, LongFunction<CompletableFuture<Void>> timer) implements TimeSource {
    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public CompletableFuture<Void> after(long nanos) {
        return timer.apply(nanos);
    }
}
