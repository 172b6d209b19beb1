package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.MemoryStore;
import dev.weir.testing.Await;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What viewers are sent. */
final class LiveSamplerTest {
    private final MemoryStore store = MemoryStore.create();
    private final LiveSampler sampler = new LiveSampler(
            new LiveRecorder(),
            store,
            new StoreHealth(false),
            new ServerState() {
                @Override
                public JsonObject json() {
                    return new JsonObject();
                }

                @Override
                public int version() {
                    return 0;
                }
            },
            (rule, key) -> new KeyNames.Name(key, null));

    /** A viewer that remembers what it was sent. */
    private static final class Watching implements Viewer {
        private final List<String> sent = new CopyOnWriteArrayList<>();
        private volatile boolean needsState;
        private volatile boolean gone;

        @Override
        public boolean needsState() {
            return needsState;
        }

        @Override
        public boolean send(String events) {
            sent.add(events);
            return !gone;
        }

        private String last() {
            return sent.get(sent.size() - 1);
        }
    }

    @AfterEach
    void close() {
        sampler.close();
        store.close();
    }

    @Test
    void viewer_getsTheState_thenFrames_andTheStateAgainIfItNeedsIt() {
        Watching viewer = new Watching();
        Watching other = new Watching();
        sampler.start();
        sampler.join(viewer);
        sampler.join(other);
        Await.until(() -> viewer.sent.size() >= 3);
        assertThat(viewer.sent.get(0)).startsWith("event: state\n");
        assertThat(viewer.sent.get(2)).startsWith("event: frame\n");

        viewer.needsState = true;
        Await.until(() -> viewer.last().startsWith("event: state\n"));

        assertThat(viewer.last()).contains("\n\nevent: frame\n");
        viewer.needsState = false;
        Await.until(() -> viewer.last().startsWith("event: frame\n"));
        assertThat(other.sent.subList(2, other.sent.size())).allMatch(events -> events.startsWith("event: frame\n"));
    }

    @Test
    void viewer_thatIsGone_isSentNothingMore() {
        Watching gone = new Watching();
        Watching stays = new Watching();
        gone.gone = true;
        sampler.start();
        sampler.join(gone);
        sampler.join(stays);

        Await.until(() -> stays.sent.size() >= 3);

        assertThat(gone.sent).hasSize(1);
    }
}
