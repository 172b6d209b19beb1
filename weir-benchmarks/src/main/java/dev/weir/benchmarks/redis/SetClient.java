package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;

/** Sets a key to a value of eight bytes and calls that an admission. */
final class SetClient implements RemoteClient {
    private static final byte[] VALUE = LettuceConnection.bytes("12345678");

    private final LettuceConnection connection;

    SetClient(String uri) {
        connection = new LettuceConnection(uri);
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        byte[][] names = LettuceConnection.keys("set:", keys);
        StatefulRedisConnection<byte[], byte[]> to = connection.get();
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return "OK".equals(to.sync().set(names[key], VALUE));
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(to.async().set(names[key], VALUE), "OK"::equals, answer);
            }
        };
    }

    @Override
    public void close() {
        connection.close();
    }
}
