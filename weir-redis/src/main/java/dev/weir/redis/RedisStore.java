package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.store.Booking;
import dev.weir.store.Claim;
import dev.weir.store.Store;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * State on a Redis server, for any number of processes: one script a decision, atomic, on the server's clock. Thread-safe.
 *
 * <p>A key's state is one string, {@code weir:{limiter:key}}, and where it is long a hash beside it. Both expire by themselves.
 */
public final class RedisStore implements Store {
    private static final byte[] SERVER_TIME = {};

    private final @Nullable RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final Supplier<byte[]> time;

    RedisStore(
            @Nullable RedisClient client, StatefulRedisConnection<byte[], byte[]> connection, Supplier<byte[]> time) {
        this.client = client;
        this.connection = connection;
        this.time = time;
    }

    /** A store on one server, with a connection of its own, which {@link #close} closes. */
    public static RedisStore connect(String uri) {
        return connect(uri, () -> SERVER_TIME);
    }

    static RedisStore connect(String uri, Supplier<byte[]> time) {
        RedisClient client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .replayFilter(command -> true) // what may have run is not sent again
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        return new RedisStore(client, client.connect(ByteArrayCodec.INSTANCE), time);
    }

    @Override
    public Decision decide(String limiter, Limits limits, String key, long permits) {
        return ask(List.of(new Claim(limiter, limits, key, permits)), 0, false).decision();
    }

    @Override
    public Decision peek(Claim claim) {
        return ask(List.of(claim), 0, true).decision();
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        Answer answer = ask(claims, maxWaitNanos, false);
        return new RedisBooking(this, claims, answer.decision(), answer.handle());
    }

    private record One(List<Claim> claims, long maxWaitNanos) implements Ask {}

    private Answer ask(List<Claim> claims, long maxWaitNanos, boolean look) {
        return ask(List.of(List.of(new One(claims, maxWaitNanos))), look).get(0);
    }

    /** Asks in groups, those of one group on the same keys and limits: the answers in order. */
    List<Answer> ask(List<? extends List<? extends Ask>> groups, boolean look) {
        List<Claim> claims =
                groups.stream().flatMap(group -> group.get(0).claims().stream()).toList();
        byte[][] values = PackedAsks.of(time.get(), groups, look);
        return Reply.answers((byte[]) run(Script.DECIDE, ScriptOutputType.VALUE, claims, values), groups);
    }

    /** Gives back so many permits of each claim. */
    void giveBack(List<Claim> claims, byte[] handle, List<Long> permits, boolean first) {
        byte[][] values = PackedAsks.giveBack(time.get(), claims, permits, handle, first);
        run(Script.GIVE_BACK, ScriptOutputType.INTEGER, claims, values);
    }

    @Override
    public void reset(Claim claim) {
        run(Script.RESET, ScriptOutputType.INTEGER, List.of(claim), new byte[][] {time.get()});
    }

    @Override
    public void block(Claim claim, long nanos) {
        run(Script.BLOCK, ScriptOutputType.INTEGER, List.of(claim), new byte[][] {
            time.get(), number(PackedLimits.micros(nanos))
        });
    }

    private Object run(Script script, ScriptOutputType type, List<Claim> claims, byte[][] values) {
        byte[][] keys = keys(claims);
        try {
            return connection.sync().<Object>evalsha(script.digest(), type, keys, values);
        } catch (RedisNoScriptException forgotten) {
            return connection.sync().<Object>eval(script.text(), type, keys, values);
        }
    }

    private static byte[][] keys(List<Claim> claims) {
        byte[][] keys = new byte[2 * claims.size()][];
        for (int i = 0; i < claims.size(); i++) {
            String state =
                    "weir:{" + claims.get(i).limiter() + ":" + claims.get(i).key() + "}";
            keys[2 * i] = state.getBytes(StandardCharsets.UTF_8);
            keys[2 * i + 1] = (state + "b").getBytes(StandardCharsets.UTF_8);
        }
        return keys;
    }

    private static byte[] number(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        connection.close();
        if (client != null) {
            client.shutdown();
        }
    }
}
