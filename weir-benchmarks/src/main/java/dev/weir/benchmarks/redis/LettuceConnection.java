package dev.weir.benchmarks.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A connection of Lettuce's, of the kind that Weir has: for bytes, and it fails at once when the server is away. */
final class LettuceConnection implements AutoCloseable {
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;

    LettuceConnection(String uri) {
        client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .replayFilter(command -> true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    StatefulRedisConnection<byte[], byte[]> get() {
        return connection;
    }

    /** Keys as they are sent, under a prefix. */
    static byte[][] keys(String prefix, List<String> keys) {
        return keys.stream().map(key -> bytes(prefix + key)).toArray(byte[][]::new);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
    }
}
