package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.testkit.PromiseContract;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What limits promise, with the state on Redis, whose clock is set back and whose hashes are evicted. */
final class RedisStorePromiseTest extends PromiseContract {
    private static StoreAtTime at;
    private static RedisCommands<String, String> commands;

    private static long evicted;

    private long setBackMicros;

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        commands = at.commands(StringCodec.ASCII);
    }

    @AfterAll
    static void stop() {
        at.close();
        assertThat(evicted).as("hashes that were there").isPositive();
    }

    @Override
    protected Store store(TimeSource timeSource) {
        setBackMicros = 0;
        at.follow(() -> TimeUnit.NANOSECONDS.toMicros(timeSource.nanos()) - setBackMicros);
        return at.store;
    }

    @Override
    protected long tickNanos() {
        return 1_000;
    }

    @Override
    protected int slowness() {
        return 12;
    }

    @Override
    protected void evict(List<Request> keys) {
        for (Request key : keys) {
            evicted += commands.del("weir:{" + key.limiter() + ":" + key.key() + "}b");
        }
    }

    @Override
    protected void setClockBack() {
        setBackMicros += TimeUnit.HOURS.toMicros(1);
    }
}
