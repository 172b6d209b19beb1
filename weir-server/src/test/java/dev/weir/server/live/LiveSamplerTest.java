package dev.weir.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.server.config.Rule.Mode;
import dev.weir.store.MemoryStore;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The events that viewers receive. */
final class LiveSamplerTest {
    private final Queue<Error> failures = new ConcurrentLinkedQueue<>();
    private final MemoryStore store = MemoryStore.create();
    private final LiveRecorder recorder = new LiveRecorder();
    private final LiveSampler sampler = new LiveSampler(
            recorder,
            store,
            new StoreHealth(false),
            JsonObject::new,
            () -> {
                Error failure = failures.poll();
                if (failure != null) {
                    throw failure;
                }
                return 0;
            },
            new KeyNames(false, null));

    /** A viewer that remembers its events. */
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
            return sent.isEmpty() ? "" : sent.get(sent.size() - 1);
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
    void viewer_thatIsGone_receivesNothingMore() {
        Watching gone = new Watching();
        Watching stays = new Watching();
        gone.gone = true;
        sampler.start();
        sampler.join(gone);
        sampler.join(stays);

        Await.until(() -> stays.sent.size() >= 3);

        assertThat(gone.sent).hasSize(1);
    }

    @Test
    void sample_error_isLoggedOnceAndSamplingGoesOn() {
        Watching viewer = new Watching();
        try (LogLines log = new LogLines("dev.weir.server")) {
            sampler.start();
            sampler.join(viewer);
            Await.until(() -> viewer.last().startsWith("event: frame\n"));
            failures.addAll(List.of(new OutOfMemoryError("first"), new OutOfMemoryError("second")));

            Await.until(failures::isEmpty);
            int before = viewer.sent.size();
            Await.until(() -> viewer.sent.size() > before);

            assertThat(log.lines())
                    .containsExactly("SEVERE decisions could not be sampled java.lang.OutOfMemoryError: first");
        }
    }

    @Test
    void frame_manyLimitsAndLongKeys_isBounded() {
        Watching viewer = new Watching();
        sampler.start();
        sampler.join(viewer);
        List<RuleRows> rules = IntStream.range(0, 200)
                .mapToObj(i -> "team-" + i)
                .map(name -> recorder.rule(new RuleId(name, name, Mode.LIVE, Limits.parse("100/1m"), false, false)))
                .toList();
        Await.until("the rules are in a state", () -> viewer.last().startsWith("event: frame\n"));

        AtomicReference<JsonObject> complete = new AtomicReference<>();
        Await.until("a frame with all limits and keys", () -> {
            rules.forEach(this::useUp);
            frame(viewer.last())
                    .filter(frame -> frame.getJsonArray("limits").size() == 200)
                    .ifPresent(complete::set);
            return complete.get() != null;
        });

        JsonObject frame = complete.get();
        assertThat(frame.encode().getBytes(StandardCharsets.UTF_8).length).isBetween(7_000, 8_000);
        assertThat(frame.getJsonArray("mostDenied").size()).isBetween(5, 19);
        assertThat(frame.getJsonArray("fullest").size()).isBetween(2, 9);
        assertThat(frame.getJsonArray("blocked").size()).isBetween(1, 19);
    }

    /** What a full store answers says nothing of the key. */
    @Test
    void fullest_keyWithoutStateInAFullStore_isNotListed() {
        try (MemoryStore full = MemoryStore.builder().maxKeys(1).build();
                LiveSampler ofFull = new LiveSampler(
                        recorder, full, new StoreHealth(false), JsonObject::new, () -> 0, new KeyNames(false, null))) {
            RuleId api = new RuleId("api", "api", Mode.LIVE, Limits.parse("5/1h"), false, false);
            var unused = full.decide("api", api.limits(), "only", 1);
            LimitRow row = recorder.rule(api).row(0);
            long noticed = System.nanoTime() - TimeUnit.SECONDS.toNanos(5);
            recorder.events.offer(lists -> lists.nearlyFull(row, "gone", 0, noticed));

            assertThat(ofFull.top("fullest").join().getJsonArray("keys")).isEmpty();
        }
    }

    /** Lets a rule decide 1,000 requests of a key, which is long and has a character of three bytes. */
    private void useUp(RuleRows rule) {
        String key = rule.id().name() + ":\u20ac" + "k".repeat(70);
        for (int i = 0; i < 1_000; i++) {
            recorder.allowed(rule.row(0), key, 10);
        }
        recorder.denied(rule.row(0), key, 0);
        sampler.blocked(rule.id(), key, Instant.now().plusSeconds(600));
    }

    /** Returns the data of the last event if it is a frame. */
    private static Optional<JsonObject> frame(String events) {
        int start = events.lastIndexOf("event: frame\ndata: ");
        return start < 0
                ? Optional.empty()
                : Optional.of(new JsonObject(events.substring(start)
                        .substring("event: frame\ndata: ".length())
                        .strip()));
    }
}
