package dev.weir.benchmarks.redis;

import java.util.List;

/** What was measured on Redis. Where many requests are in flight, they are 256, or 4,096 with a slow network. */
final class RedisFigures {
    final Rounds admittedMicros = new Rounds("sync p50, admitted, µs");
    final Rounds deniedMicros = new Rounds("sync p50, denied on the server, µs");
    final Rounds hotKeyPerSecond = new Rounds("one hot key, 256 in flight, decisions a second");
    final Rounds keysPerSecond = new Rounds("distinct keys, 256 in flight, decisions a second");
    final Rounds keysCpuMicros = new Rounds("the same, server CPU a decision, µs");
    final Rounds jointPerSecond = new Rounds("joint requests of two distinct keys, 256 in flight, decisions a second");
    final Rounds jointRatio = new Rounds("the same / requests of one key");
    final Rounds farPerSecond = new Rounds("one hot key, 5 ms round trip, 4,096 in flight, decisions a second");
    final Rounds waitingPercent = new Rounds("4 processes, 2,000 waiting callers, use of 1000/1s, %");
    final Rounds waitingOver = new Rounds("the same, windows over");
    final Rounds deniedMillions = new Rounds("denied again and again, million decisions a second a core");
    final Rounds scriptsPerPermit = new Rounds("the same, Redis calls per permit granted");
    final Rounds entryBytes = new Rounds("bytes an entry of a large log, 1 µs");
    final Rounds coarseEntryBytes = new Rounds("the same, default resolution");

    /** Returns all, in the order of the table. */
    List<Rounds> all() {
        return List.of(
                admittedMicros,
                deniedMicros,
                hotKeyPerSecond,
                keysPerSecond,
                keysCpuMicros,
                jointPerSecond,
                jointRatio,
                farPerSecond,
                waitingPercent,
                waitingOver,
                deniedMillions,
                scriptsPerPermit,
                entryBytes,
                coarseEntryBytes);
    }
}
