package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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

    @Test
    void scripts_areInANativeImage() throws IOException {
        Path classes = Path.of("target/classes");
        String metadata = Files.readString(
                classes.resolve("META-INF/native-image/dev.weir/weir-redis/reachability-metadata.json"));
        Matcher glob = Pattern.compile("\"glob\": \"([^\"]*)\"").matcher(metadata);
        assertThat(glob.find()).isTrue();
        PathMatcher included = FileSystems.getDefault().getPathMatcher("glob:" + glob.group(1));

        try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".lua")).map(classes::relativize))
                    .isNotEmpty()
                    .allMatch(included::matches);
        }
    }
}
