package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.TimeSource;
import dev.weir.store.Store;
import dev.weir.testkit.PromiseContract;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The promises of limits on Redis, with a clock that is set back and hashes that are evicted. */
final class RedisStorePromiseTest extends PromiseContract {
    private static StoreAtTime at;
    private static RedisCommands<String, String> commands;

    private long setBackMicros;

    @BeforeAll
    static void start() {
        at = StoreAtTime.start();
        commands = at.commands(StringCodec.ASCII);
    }

    @AfterAll
    static void stop() {
        at.close();
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
        return 20;
    }

    @Override
    protected void evict(List<Request> keys) {
        for (Request key : keys) {
            commands.del(hashOf(key));
        }
    }

    private static String hashOf(Request key) {
        return "weir:{" + key.limiter() + ":" + key.key() + "}b";
    }

    @Override
    protected void setClockBack() {
        setBackMicros += TimeUnit.HOURS.toMicros(1);
    }

    @Test
    void hashOf_keyWithALongLog_isOnTheServer() {
        AtomicLong micros = new AtomicLong(TimeUnit.DAYS.toMicros(1));
        at.follow(micros::get);
        Limits limits = Limits.parse("1000/1h");
        for (int i = 0; i < 300; i++) {
            micros.addAndGet(1_000);
            assertThat(at.store.decide("evicted", limits, "key", 1).allowed()).isTrue();
        }
        assertThat(commands.exists(hashOf(Request.of("evicted", limits, "key", 1))))
                .isEqualTo(1);
    }
}
