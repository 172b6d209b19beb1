package dev.weir.benchmarks.redis;

import java.util.List;

/** What was measured on Redis. Where many requests are in flight, they are 256. */
final class RedisFigures {
    final Rounds admittedMicros = new Rounds("sync p50, admitted, µs");
    final Rounds deniedMicros = new Rounds("sync p50, denied on the server, µs");
    final Rounds hotKeyPerSecond = new Rounds("one hot key, 256 in flight, decisions a second");
    final Rounds keysPerSecond = new Rounds("distinct keys, 256 in flight, decisions a second");
    final Rounds keysCpuMicros = new Rounds("the same, server CPU a decision, µs");
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
                deniedMillions,
                scriptsPerPermit,
                entryBytes,
                coarseEntryBytes);
    }
}
