package dev.weir.benchmarks.redis;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The counters that the server reports, read on a separate connection. */
final class ServerCounters implements AutoCloseable {
    private static final Pattern CPU = Pattern.compile("^used_cpu_(?:sys|user):([0-9.]+)", Pattern.MULTILINE);
    private static final Pattern SCRIPTS =
            Pattern.compile("^cmdstat_(?:eval|evalsha|evalsha_ro|fcall):calls=([0-9]+)", Pattern.MULTILINE);
    private static final Pattern VERSION = Pattern.compile("^redis_version:([0-9.]+)", Pattern.MULTILINE);
    private static final double MICROS_PER_SECOND = 1e6;

    private final LettuceConnection connection;

    ServerCounters(String uri) {
        connection = new LettuceConnection(uri);
    }

    private RedisCommands<byte[], byte[]> commands() {
        return connection.get().sync();
    }

    /** Its version. */
    String version() {
        Matcher version = VERSION.matcher(commands().info("server"));
        return version.find() ? version.group(1) : "unknown";
    }

    /** The time of the processor that it has used. */
    double cpuMicros() {
        return sum(CPU, commands().info("cpu")) * MICROS_PER_SECOND;
    }

    /** How many scripts it has run. */
    long scripts() {
        return (long) sum(SCRIPTS, commands().info("commandstats"));
    }

    private static double sum(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    /** The bytes of all keys together. */
    long keyBytes() {
        return commands().keys("*").stream().mapToLong(this::bytes).sum();
    }

    private long bytes(byte[] key) {
        CommandArgs<byte[], byte[]> all = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add("USAGE")
                .addKey(key)
                .add("SAMPLES")
                .add(0);
        return commands().dispatch(CommandType.MEMORY, new IntegerOutput<>(ByteArrayCodec.INSTANCE), all);
    }

    /** Forgets all keys. */
    void flush() {
        commands().flushall();
    }

    @Override
    public void close() {
        connection.close();
    }
}
