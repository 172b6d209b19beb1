package dev.weir.replay;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.replay.Recording.Decided;
import dev.weir.replay.Recording.Moment;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.EventConsumer;
import dev.weir.replay.trace.Trace;
import dev.weir.store.Store;
import dev.weir.testkit.WorstWindow;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * The replay of a trace against one limit. A leaky bucket is replayed as a queue: a request that waits counts in the worst window
 * at the end of its wait.
 */
final class Playback implements EventConsumer, AutoCloseable {
    private static final int STEP = 1 << 14; // requests between two progress reports
    private static final int TOP = 10; // most denied keys in a result
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Trace trace;
    private final LongConsumer progress;
    private final Trial trial;
    private final WorstWindow worst;
    private final long[] deniedByKey;
    private final BitLog decisions = new BitLog();
    private long played;
    private long denied;
    private long delayed;
    private long maxWaitNanos;

    Playback(Trace trace, Limit limit, Function<TimeSource, Store> stores, LongConsumer progress) {
        this.trace = trace;
        this.progress = progress;
        this.trial = new Trial(limit, stores);
        this.worst = new WorstWindow(limit.windowNanos());
        this.deniedByKey = new long[trace.keys()];
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        Decision decision = trial.decide(timeNanos, trace.key(keyId), permits);
        decisions.add(decision.allowed());
        if (decision.allowed()) {
            long wait = decision.waitNanos();
            worst.granted(keyId, saturatedSum(timeNanos, wait), permits);
            if (wait > 0) {
                delayed++;
                maxWaitNanos = Math.max(maxWaitNanos, wait);
            }
        } else {
            denied++;
            deniedByKey[keyId]++;
        }
        if (++played % STEP == 0) {
            progress.accept(played);
        }
    }

    Decided decided() {
        progress.accept(played);
        Delays delays =
                trial.isQueue() ? new Delays(delayed, (maxWaitNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI) : null;
        List<DeniedKey> topDenied = trace.top(deniedByKey, TOP).stream()
                .map(key -> new DeniedKey(trace.key(key), deniedByKey[key]))
                .toList();
        int deniedKeys =
                (int) Arrays.stream(deniedByKey).filter(count -> count > 0).count();
        ReplayResult result =
                new ReplayResult(trial.limit(), played - denied, denied, deniedKeys, worst.worst(), topDenied, delays);
        Moment moment = worst.worstKey() < 0 ? null : new Moment(worst.worstKey(), worst.worstEndNanos());
        return new Decided(result, decisions, moment);
    }

    /** Removes the keys from the store. */
    @Override
    public void close() {
        try (trial) {
            if (!trial.isInMemory()) {
                for (int keyId = 0; keyId < trace.keys(); keyId++) {
                    trial.reset(trace.key(keyId));
                }
            }
        }
    }

    private static long saturatedSum(long time, long wait) {
        return time > Long.MAX_VALUE - wait ? Long.MAX_VALUE : time + wait;
    }
}
