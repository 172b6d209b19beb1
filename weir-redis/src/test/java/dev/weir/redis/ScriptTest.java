package dev.weir.redis;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Loading scripts on a server that answers only the handshake. */
final class ScriptTest {

    @Test
    @SuppressWarnings("unchecked")
    void load_noAnswer_completes() throws Exception {
        var silent = (RedisScriptingAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisScriptingAsyncCommands.class},
                (proxy, method, arguments) -> new AsyncCommand<>(
                        new Command<>(CommandType.SCRIPT, new StatusOutput<>(ByteArrayCodec.INSTANCE))));

        Script.load(silent).get(20 * CircuitBreaker.PROBE_NANOS, TimeUnit.NANOSECONDS);
    }
}
