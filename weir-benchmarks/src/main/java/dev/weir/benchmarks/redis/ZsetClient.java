package dev.weir.benchmarks.redis;

import dev.weir.Limit;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The script of the textbooks, {@code zset.lua}, by {@code EVALSHA} on one connection of Lettuce's. */
final class ZsetClient implements RemoteClient {
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** So large that all members are as long. */
    private static final long FIRST_MEMBER = 1_000_000;

    private final LettuceConnection connection;
    private final String digest;
    /** What makes its members its own: 64 bits that no other process has, and a count. */
    private final String id =
            HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ":";

    private final AtomicLong member = new AtomicLong(FIRST_MEMBER);

    ZsetClient(String uri) {
        connection = new LettuceConnection(uri);
        digest = connection.get().sync().scriptLoad(script());
    }

    private static byte[] script() {
        try (InputStream in = ZsetClient.class.getResourceAsStream("zset.lua")) {
            if (in == null) {
                throw new IllegalStateException("zset.lua is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public RemoteLimiter limiter(Limit limit, List<String> keys) {
        byte[][] names = LettuceConnection.keys("zset:", keys);
        byte[] permits = number(limit.permits());
        byte[] micros = number(limit.windowNanos() / NANOS_PER_MICRO);
        byte[] millis = number((limit.windowNanos() + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
        StatefulRedisConnection<byte[], byte[]> to = connection.get();
        return new RemoteLimiter() {
            @Override
            public boolean ask(int key) {
                return is1(to.sync()
                        .evalsha(digest, ScriptOutputType.INTEGER, names(key), permits, micros, millis, unique()));
            }

            @Override
            public void send(int key, Answer answer) {
                Answer.when(
                        to.async()
                                .<Long>evalsha(
                                        digest,
                                        ScriptOutputType.INTEGER,
                                        names(key),
                                        permits,
                                        micros,
                                        millis,
                                        unique()),
                        ZsetClient::is1,
                        answer);
            }

            private byte[][] names(int key) {
                return new byte[][] {names[key]};
            }
        };
    }

    private static boolean is1(Long answer) {
        return answer == 1;
    }

    private byte[] unique() {
        return LettuceConnection.bytes(id + member.incrementAndGet());
    }

    private static byte[] number(long number) {
        return LettuceConnection.bytes(Long.toString(number));
    }

    @Override
    public void close() {
        connection.close();
    }
}
