package dev.weir.redis;

import static dev.weir.redis.Blocking.answers;
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

/** Callbacks of the user that block, throw or call the store, and stores that are closed during requests. */
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
    void timeout_afterAnIdleTime_isKept() {
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
            // A busy machine delays some of these calls; the fault that this test is for delayed all of them.
            Await.until("a call that ends in time", () -> {
                proxy.release();
                Await.until("a connection", () -> answers(store));
                Await.until("an idle time", idle());
                proxy.hold();
                long start = System.nanoTime();
                assertThatThrownBy(() -> store.decide("test", one, "other " + start, 1))
                        .isInstanceOf(StoreException.class);
                return System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(50);
            });
        }
    }

    /** A condition that holds 20 ms after this call. */
    private static Await.Condition idle() {
        long start = System.nanoTime();
        return () -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(20);
    }

    @Test
    void unanswered_callbackCallsTheLimiter_doesNotHang() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (RedisStore store = store().connect()) {
                List<CompletableFuture<Decision>> futures = new ArrayList<>();
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
                    futures.add(limiter.tryAcquireAsync(key, Duration.ZERO)
                            .thenApply(first -> limiter.tryAcquire(key + " again")));
                }
                for (CompletableFuture<Decision> each : futures) {
                    assertThat(each.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                                    .degraded())
                            .isTrue();
                }
                proxy.release();
            }
        }
    }

    @Test
    void listener_throws_connectionIsReplacedAnyway() {
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
        try (RedisStore store = store().timeout(Await.TIMEOUT)
                        .client(client)
                        .listener(throwing)
                        .connect();
                RedisStore direct =
                        RedisStore.builder(server.uri()).timeout(Await.TIMEOUT).connect()) {
            for (int round = 1; round <= 3; round++) {
                Await.until("a connection", () -> answers(store));
                proxy.next(Proxy.Fate.CUT, 1);
                long start = System.nanoTime();
                assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
                assertThat(System.nanoTime() - start).isLessThan(Await.TIMEOUT.toNanos() / 2);
                Await.until("a connection", () -> answers(store));
                assertThat(10 - Blocking.peek(direct, request("key")).remaining())
                        .isEqualTo(round);
            }
            assertThat(proxy.sent("{test:key}")).isEqualTo(3);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void denied_whileTheGrantIsRefunded_isNotCached() {
        Limits one = Limits.parse("1/1h");
        AtomicBoolean refunding = new AtomicBoolean();
        RedisStore.Builder settings = RedisStore.builder(server.uri()).timeout(Await.TIMEOUT);
        RedisStore[] stores = new RedisStore[1];
        settings.scriptTime(() -> {
            if (refunding.compareAndSet(true, false)) {
                assertThat(stores[0].decide("test", one, "key", 1).allowed()).isFalse();
            }
            return PackedRequests.SERVER_TIME;
        });
        try (RedisStore store = settings.connect()) {
            stores[0] = store;
            StoreReservation reservation = store.reserve(List.of(Request.of("test", one, "key", 1)), 0);
            refunding.set(true);
            reservation.refund(1);
            assertThat(store.decide("test", one, "key", 1).allowed()).isTrue();
        }
    }

    @Test
    void closed_everyCallThrowsStoreException() {
        RedisStore store =
                store().timeout(Await.TIMEOUT).denialMemory(Duration.ofHours(1)).connect();
        Await.until("a connection", () -> answers(store));
        Limits one = Limits.parse("1/1h");
        assertThat(store.decide("test", one, "denied", 1).allowed()).isTrue();
        assertThat(store.decide("test", one, "denied", 1).allowed()).isFalse();
        StoreReservation reservation = store.reserve(List.of(request("key")), 0);
        store.close();
        store.close();
        assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.decide("test", one, "denied", 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.reserve(List.of(request("key"), request("other")), 0))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.peek(store, request("key"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.reset(store, request("key"))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> Blocking.block(store, request("key"), 1)).isInstanceOf(StoreException.class);
        reservation.refund(1);
    }

    @Test
    void closed_duringRequests_everyRequestEnds() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<StoreReservation>> futures = new ArrayList<>();
            try (RedisStore store = store().connect()) {
                proxy.hold();
                for (int i = 0; i < 1_000; i++) {
                    futures.add(store.reserveAsync(List.of(request("key " + i % 300)), 0));
                }
            }
            proxy.release();
            for (CompletableFuture<StoreReservation> each : futures) {
                assertThat(each.handle((ignored, failure) -> failure).get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                        .isNotNull();
            }
        }
    }

    @Test
    void closed_inACallback_returns() throws Exception {
        RedisStore store = store().timeout(Await.TIMEOUT).connect();
        proxy.hold();
        CompletableFuture<Void> closed =
                store.reserveAsync(List.of(request("key")), 0).thenAccept(reservation -> store.close());
        proxy.release();
        closed.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void client_shutDownByItsOwner_everyCallThrowsStoreException() {
        DefaultClientResources resources = DefaultClientResources.create();
        RedisClient client = RedisClient.create(resources, proxy.uri());
        try (RedisStore store = store().timeout(Await.TIMEOUT).client(client).connect()) {
            Await.until("a connection", () -> answers(store));
            StoreReservation reservation = store.reserve(List.of(request("key")), 0);
            client.shutdown(0, 0, TimeUnit.SECONDS);
            resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> store.decide("test", LIMITS, "key", 1)).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> Blocking.peek(store, request("key"))).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> Blocking.reset(store, request("key"))).isInstanceOf(StoreException.class);
            }
            reservation.refund(1);
        }
    }

    @Test
    void uri_invalid_messageHidesThePassword() {
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
            } catch (IllegalArgumentException rejected) {
                StringWriter trace = new StringWriter();
                rejected.printStackTrace(new PrintWriter(trace));
                assertThat(trace.toString()).as(uri).doesNotContain("cret");
            }
        }
    }
}
