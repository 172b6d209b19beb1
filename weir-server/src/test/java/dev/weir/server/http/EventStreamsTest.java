package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.live.KeyNames;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.StoreHealth;
import dev.weir.server.live.Viewer;
import dev.weir.store.MemoryStore;
import dev.weir.testing.Await;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events for a client that does not read for a while. */
final class EventStreamsTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final MemoryStore store = MemoryStore.create();
    private final LiveSampler sampler = new LiveSampler(
            new LiveRecorder(), store, new StoreHealth(false), JsonObject::new, () -> 0, new KeyNames(false, null));
    private final EventStreams streams = new EventStreams(sampler);
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final Promise<Void> stalled = Promise.promise();

    /** Another viewer, which counts its events. */
    private static final class Counting implements Viewer {
        private final AtomicInteger sent = new AtomicInteger();

        @Override
        public boolean needsState() {
            return false;
        }

        @Override
        public boolean send(String events) {
            sent.incrementAndGet();
            return true;
        }
    }

    @AfterEach
    void close() {
        sampler.close();
        store.close();
        vertx.close().await();
    }

    /** Returns a response whose client begins to read when the promise completes. */
    private HttpServerResponse response() {
        return (HttpServerResponse) Proxy.newProxyInstance(
                HttpServerResponse.class.getClassLoader(),
                new Class<?>[] {HttpServerResponse.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("write")) {
                        return proxy;
                    }
                    written.add(arguments[0].toString());
                    return stalled.future();
                });
    }

    @Test
    void client_readsAgain_isSentTheStateBeforeTheNextFrame() {
        streams.open(response(), context, Buffer.buffer(":\n\n"));
        Await.until(() -> written.size() == 2);
        Counting other = new Counting();
        sampler.start();
        sampler.join(other);
        Await.until(() -> other.sent.get() >= 3);
        assertThat(written).hasSize(2).last().asString().startsWith("event: state\n");

        context.runOnContext(onLoop -> stalled.complete());

        Await.until(() -> written.size() >= 4);
        assertThat(written.get(2)).startsWith("event: state\n").contains("\n\nevent: frame\n");
        assertThat(written.get(3)).startsWith("event: frame\n");
    }

    /** The event loop handles an event just before the thread that samples prepares the next one. */
    @Test
    void client_missesAnEventAtTheLatestMoment_isSentTheStateBeforeTheNextFrame() {
        Queue<Handler<Void>> tasks = new ConcurrentLinkedQueue<>();
        AtomicInteger seconds = new AtomicInteger();
        sampler.join(new Viewer() {
            @Override
            public boolean needsState() {
                return false;
            }

            @Override
            public boolean send(String events) {
                if (seconds.incrementAndGet() == 4) {
                    stalled.complete();
                }
                for (Handler<Void> task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.handle(null);
                }
                return true;
            }
        });
        streams.open(response(), delaying(tasks), Buffer.buffer(":\n\n"));
        sampler.start();

        Await.until(() -> written.size() >= 3);

        assertThat(written.get(2)).startsWith("event: state\n").contains("\n\nevent: frame\n");
    }

    /** Returns an event loop that runs tasks only when it is told. */
    @SuppressWarnings("unchecked") // the type of the only argument
    private static Context delaying(Queue<Handler<Void>> tasks) {
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(), new Class<?>[] {Context.class}, (proxy, method, arguments) -> {
                    tasks.add((Handler<Void>) arguments[0]);
                    return null;
                });
    }
}
