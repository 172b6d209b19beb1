package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreListener;
import dev.weir.store.StoreReservation;
import dev.weir.testing.Await;
import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Code of the user's that is called from within, and does what it should not; and stores that are closed under it. */
final class CallingBackTest extends ProxiedServerTest {
    private static final Limits LIMITS = Limits.parse("10/1h");
    private static final Duration TIMEOUT = Duration.ofMillis(50);

    private RedisStore.Builder store() {
        return RedisStore.builder(proxy.uri()).timeout(TIMEOUT);
    }

    private static Request request(String key) {
        return Request.of("test", LIMITS, key, 1);
    }

    @Test
    void deadline_afterAnIdleTime_isKept() {
        try (RedisStore store = RedisStore.builder(proxy.uri())
                .timeout(Duration.ofMillis(10))
                .denialMemory(Duration.ofSeconds(20))
                .connect()) {
            Limits one = Limits.parse("1/1h");
            Await.until("a denial", () -> {
                try {
                    return !store.decide("test", one, "key", 1).allowed();
                } catch (StoreException late) {
                    return false;
                }
            });
            // A busy machine delays some of these calls; the fault delayed all of them.
            Await.until("a call that ends in time", () -> {
                proxy.release();
                Await.until("a connection", () -> answers(store));
                Await.until("an idle time", idle());
                proxy.hold();
                long asked = System.nanoTime();
                assertThatThrownBy(() -> store.decide("test", one, "other " + asked, 1))
                        .isInstanceOf(StoreException.class);
                return System.nanoTime() - asked < TimeUnit.MILLISECONDS.toNanos(50);
            });
        }
    }

    /** Holds from 20 ms on. */
    private static Await.Condition idle() {
        long start = System.nanoTime();
        return () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20);
    }

    @Test
    void unanswered_callbacksAskAgainOnTheThreadThatTellsThem_noneHangs() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (RedisStore store = store().connect()) {
                List<CompletableFuture<Decision>> asked = new ArrayList<>();
                RateLimiter limiter = RateLimiter.builder()
                        .name("test")
                        .limits(LIMITS)
                        .store(store)
                        .whenStoreFails(FailurePolicy.open())
                        .executor(Runnable::run)
                        .build();
                proxy.hold();
                for (int i = 0; i < 8; i++) {
                    String key = "key " + i;
                    asked.add(limiter.tryAcquireAsync(key, Duration.ZERO)
                            .thenApply(first -> limiter.tryAcquire(key + " again")));
                }
                for (CompletableFuture<Decision> each : asked) {
                    assertThat(each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                    .degraded())
                            .isTrue();
                }
                proxy.release();
            }
        }
    }

    @Test
    void listener_throws_connectionIsGivenUpAllTheSame() {
        RedisClient client = RedisClient.create(proxy.uri());
        StoreListener throwing = new StoreListener() {
            @Override
            public void storeDown(StoreException failure) {
                throw new IllegalStateException("listener");
            }

            @Override
            public void storeUp() {
                throw new IllegalStateException("listener");
            }
        };
        try (RedisStore store = store().timeout(Await.PATIENCE)
                        .client(client)
                        .listener(throwing)
                        .connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.PATIENCE).connect()) {
            for (int round = 1; round <= 3; round++) {
                Await.until("a connection", () -> answers(store));
                proxy.next(Proxy.Fate.CUT, 1);
                long asked = System.nanoTime();
                assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
                assertThat(System.nanoTime() - asked).isLessThan(Await.PATIENCE.toNanos() / 2);
                Await.until("a connection", () -> answers(store));
                assertThat(10 - Blocking.peek(direct, request("key")).remaining())
                        .isEqualTo(round);
            }
            assertThat(proxy.sent("{test:key}")).isEqualTo(3);
        } finally {
            client.shutdown();
        }
    }

    private static boolean answers(RedisStore store) {
        try {
            Blocking.peek(store, request("probe"));
            return true;
        } catch (StoreException notYet) {
            return false;
        }
    }

    @Test
    void denied_whileItIsGivenBack_isForgotten() {
        Limits one = Limits.parse("1/1h");
        AtomicBoolean meanwhile = new AtomicBoolean();
        RedisStore.Builder settings = RedisStore.builder(server.uri()).timeout(Await.PATIENCE);
        RedisStore[] made = new RedisStore[1];
        settings.scriptTime(() -> {
            if (meanwhile.compareAndSet(true, false)) {
                assertThat(made[0].decide("test", one, "key", 1).allowed()).isFalse();
            }
            return PackedRequests.SERVER_TIME;
        });
        try (RedisStore store = settings.connect()) {
            made[0] = store;
            StoreReservation booked = store.reserve(List.of(Request.of("test", one, "key", 1)), 0);
            meanwhile.set(true);
            booked.refund(1);
            assertThat(store.decide("test", one, "key", 1).allowed()).isTrue();
        }
    }

    @Test
    void closed_everyCallFailsCleanly() {
        RedisStore store = store().connect();
        StoreReservation booked = store.reserve(List.of(request("key")), 0);
        store.close();
        store.close();
        assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.reserve(List.of(request("key"), request("other")), 0))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.peek(store, request("key"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.reset(store, request("key"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.block(store, request("key"), 1)).isInstanceOf(StoreException.class);
        booked.refund(1);
    }

    @Test
    void closed_underWay_everyCallEnds() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<StoreReservation>> asked = new ArrayList<>();
            try (RedisStore store = store().connect()) {
                proxy.hold();
                for (int i = 0; i < 1_000; i++) {
                    asked.add(store.reserveAsync(List.of(request("key " + i % 300)), 0));
                }
            }
            proxy.release();
            for (CompletableFuture<StoreReservation> each : asked) {
                assertThat(each.handle((booking, failure) -> failure).get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isNotNull();
            }
        }
    }

    @Test
    void closed_byACallback_returns() throws Exception {
        RedisStore store = store().timeout(Duration.ofSeconds(5)).connect();
        proxy.hold();
        CompletableFuture<Void> closed =
                store.reserveAsync(List.of(request("key")), 0).thenAccept(booked -> store.close());
        proxy.release();
        closed.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void client_shutDownByItsOwner_everyCallFailsCleanly() {
        DefaultClientResources resources = DefaultClientResources.create();
        RedisClient client = RedisClient.create(resources, proxy.uri());
        try (RedisStore store = store().client(client).connect()) {
            StoreReservation booked = store.reserve(List.of(request("key")), 0);
            client.shutdown(0, 0, TimeUnit.SECONDS);
            resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> Blocking.peek(store, request("key"))).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> Blocking.reset(store, request("key"))).isInstanceOf(StoreException.class);
            }
            booked.refund(1);
        }
    }

    @Test
    void uri_unreadable_keepsItsPassword() {
        for (String uri : List.of(
                "redis://user:se cret@localhost:6379",
                "redis://:secret@local host",
                "redis://user:secret@localhost:99999",
                "redis://user:secret@localhost:port",
                "http://user:secret@localhost",
                "redis-sentinel://user:secret@localhost",
                "redis-cluster://user:secret@local host:1")) {
            try {
                RedisStore.builder(uri);
            } catch (IllegalArgumentException refused) {
                StringWriter trace = new StringWriter();
                refused.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString()).as(uri).doesNotContain("cret");
            }
        }
    }
}
