package dev.weir.benchmarks.redis;

/** What was measured on Redis. */
public final class RedisFigures {
    /** The version of the server. */
    public final String server;
    /** One request at a time, admitted: the median of a round. */
    public final Rounds admittedMicros = new Rounds();
    /** The same, denied by the server. */
    public final Rounds deniedMicros = new Rounds();
    /** Decisions on one key, many requests in flight. */
    public final Rounds hotKeyPerSecond = new Rounds();
    /** Decisions on many keys, many requests in flight. */
    public final Rounds keysPerSecond = new Rounds();
    /** The server's processor time for each of them. */
    public final Rounds keysCpuMicros = new Rounds();
    /** Million decisions a second of one thread on a key that has used up its limit. */
    public final Rounds deniedMillions = new Rounds();
    /** Scripts run for each permit granted meanwhile. */
    public final Rounds scriptsPerPermit = new Rounds();
    /** A large log in Redis, divided by its entries, at a resolution of 1 µs. */
    public final Rounds entryBytes = new Rounds();
    /** The same with the default resolution. */
    public final Rounds coarseEntryBytes = new Rounds();

    /** Creates figures without any measurement. */
    public RedisFigures(String server) {
        this.server = server;
    }
}
