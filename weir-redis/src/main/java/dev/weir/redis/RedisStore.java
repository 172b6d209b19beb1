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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    private static final byte[] LOOK = {'p'};
    private static final byte[] NO_HANDLES = {};
    private static final byte[] HANDLES = {'h'};

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
        List<Claim> claims = List.of(new Claim(limiter, limits, key, permits));
        return Reply.decision(ask(claims, NO_HANDLES, 0), claims);
    }

    @Override
    public Decision peek(Claim claim) {
        List<Claim> claims = List.of(claim);
        return Reply.decision(ask(claims, LOOK, 0), claims);
    }

    @Override
    public Booking book(List<Claim> claims, long maxWaitNanos) {
        List<Object> reply = ask(claims, HANDLES, maxWaitNanos);
        return new RedisBooking(this, claims, Reply.decision(reply, claims), Reply.handles(reply));
    }

    /** Asks once: the answer to the only request. */
    @SuppressWarnings("unchecked") // what the script answers
    private List<Object> ask(List<Claim> claims, byte[] mode, long maxWaitNanos) {
        List<byte[]> values = new ArrayList<>();
        values.add(time.get());
        values.add(mode);
        ByteBuffer request = ByteBuffer.allocate(Double.BYTES * (1 + claims.size()));
        long patience = maxWaitNanos / 1000;
        request.putDouble((double) patience);
        claims.forEach(claim -> request.putDouble((double) claim.permits()));
        values.add(request.array());
        claims.forEach(claim -> values.add(PackedLimits.of(claim.limits())));
        List<Object> answers = (List<Object>) run(Script.DECIDE, ScriptOutputType.MULTI, claims, values);
        return (List<Object>) answers.get(0);
    }

    /** Gives back so many permits of each claim. */
    void giveBack(List<Claim> claims, byte[] handles, List<Long> permits, boolean first) {
        ByteBuffer packed = ByteBuffer.allocate(Double.BYTES * permits.size());
        permits.forEach(each -> packed.putDouble((double) each));
        run(
                Script.GIVE_BACK,
                ScriptOutputType.INTEGER,
                claims,
                List.of(time.get(), packed.array(), number(first ? 1 : 0), handles));
    }

    @Override
    public void reset(Claim claim) {
        run(Script.RESET, ScriptOutputType.INTEGER, List.of(claim), List.of(time.get()));
    }

    @Override
    public void block(Claim claim, long nanos) {
        run(
                Script.BLOCK,
                ScriptOutputType.INTEGER,
                List.of(claim),
                List.of(time.get(), number(PackedLimits.micros(nanos))));
    }

    private Object run(Script script, ScriptOutputType type, List<Claim> claims, List<byte[]> values) {
        byte[][] keys = keys(claims);
        byte[][] sent = values.toArray(byte[][]::new);
        try {
            return connection.sync().<Object>evalsha(script.digest(), type, keys, sent);
        } catch (RedisNoScriptException forgotten) {
            return connection.sync().<Object>eval(script.text(), type, keys, sent);
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
