package dev.weir.benchmarks.redis;

/**
 * What was measured on Redis.
 *
 * @param server its version
 * @param admittedMicros one request at a time, admitted: the median of a round
 * @param deniedMicros the same, denied by the server
 * @param hotKeyPerSecond decisions on one key, many requests under way
 * @param keysPerSecond decisions on many keys, many requests under way
 * @param keysCpuMicros the server's processor time for each of them
 * @param deniedMillions million decisions a second of one thread on a key that has used up its limit
 * @param scriptsPerPermit scripts run for each permit granted meanwhile
 * @param entryBytes a large log in Redis, divided by its entries, at a resolution of 1 us
 * @param coarseEntryBytes the same with the default resolution
 */
public record RedisFigures(
        String server,
        Rounds admittedMicros,
        Rounds deniedMicros,
        Rounds hotKeyPerSecond,
        Rounds keysPerSecond,
        Rounds keysCpuMicros,
        Rounds deniedMillions,
        Rounds scriptsPerPermit,
        Rounds entryBytes,
        Rounds coarseEntryBytes) {

    static RedisFigures none(String server) {
        return new RedisFigures(
                server,
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds(),
                new Rounds());
    }
}
