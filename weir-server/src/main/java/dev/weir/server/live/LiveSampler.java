package dev.weir.server.live;

import com.google.common.base.Suppliers;
import dev.weir.Request;
import dev.weir.Status;
import dev.weir.server.config.Repeated;
import dev.weir.store.Store;
import dev.weir.store.StoreStatistics;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads once a second what was decided, and shows it to viewers. Has one thread, to which all figures belong; without viewers it
 * only reads the counters. Memory is bounded, whatever keys and limits requests have. Thread-safe.
 */
public final class LiveSampler implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory("weir-live", true));
    private final AtomicBoolean woken = new AtomicBoolean();
    private final LiveRecorder recorder;
    private final StoreHealth health;
    private final Store store;
    private final Supplier<JsonObject> server;
    private final IntSupplier serverVersion;
    private final LiveClock clock = new LiveClock(System::currentTimeMillis, System::nanoTime);
    private final KeyLists lists = new KeyLists(); // this and below: only the thread
    private final LimitHistory limits;
    private final LiveView view;
    private final List<Viewer> viewers = new ArrayList<>();
    private long second = clock.millis() / LiveClock.SECOND_MILLIS;
    private int version;

    /**
     * Creates a sampler, which does not run yet.
     *
     * @param recorder what decisions report to
     * @param health its figures
     * @param server what the server says of itself
     * @param serverVersion a number that changes with that
     */
    public LiveSampler(
            LiveRecorder recorder,
            Store store,
            StoreHealth health,
            Supplier<JsonObject> server,
            IntSupplier serverVersion,
            KeyNames names) {
        this.recorder = recorder;
        this.limits = new LimitHistory(recorder);
        this.store = store;
        this.health = health;
        this.server = server;
        this.serverVersion = serverVersion;
        this.view = new LiveView(lists, names);
        recorder.events.onHalfFull(this::wake);
        lists.advance(second);
    }

    /** Starts to sample, at each full second. */
    public void start() {
        var unused = thread.scheduleAtFixedRate(
                new Repeated("decisions could not be sampled", this::sample),
                clock.millisToNextSecond(),
                LiveClock.SECOND_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Reads what was reported before the queue is full. */
    private void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            execute(() -> {
                woken.set(false);
                recorder.events.drainTo(lists);
            });
        }
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.log(Level.DEBUG, "the server stops");
        }
    }

    /** Samples the second, unless it was sampled; a sample is taken near the start of one, so the time is rounded. */
    private void sample() {
        long now = (clock.millis() + LiveClock.SECOND_MILLIS / 2) / LiveClock.SECOND_MILLIS;
        if (now > second) {
            second = now;
            sampleSecond();
        }
    }

    private void sampleSecond() {
        recorder.advance(second);
        lists.advance(second);
        recorder.events.drainTo(lists);
        StoreHealth.Second store = health.sample();
        limits.sample(second, store);
        if (!viewers.isEmpty()) {
            var unused = peek(staleKeys());
            recorder.events.drainTo(lists); // a store in this process has answered
            show(event("frame", frame(store)));
        }
    }

    private void show(String frame) {
        int latest = latestVersion();
        boolean changed = latest != version;
        version = latest;
        Supplier<String> both = Suppliers.memoize(() -> event("state", state()) + frame);
        viewers.removeIf(viewer -> !viewer.send(changed || viewer.needsState() ? both.get() : frame));
    }

    private int latestVersion() {
        return serverVersion.getAsInt() + recorder.rules.version() + limits.version();
    }

    private static String event(String name, JsonObject data) {
        return "event: " + name + "\ndata: " + data.encode() + "\n\n";
    }

    private JsonObject frame(StoreHealth.Second health) {
        StoreStatistics statistics = store.statistics();
        Integer held = statistics.keys().isPresent() ? statistics.keys().getAsInt() : null;
        OptionalDouble used = statistics.utilization();
        Runtime runtime = Runtime.getRuntime();
        JsonObject frame = limits.now()
                .put("limitedKeys", lists.limited.count())
                .put("activeKeys", held)
                .put(
                        "store",
                        new JsonObject()
                                .put("p99Micros", health.p99Micros())
                                .put("timeouts", health.failures())
                                .put("outageSeconds", health.outageSeconds())
                                .put("reason", health.reason())
                                .put("keys", held)
                                .put("utilization", used.isPresent() ? used.getAsDouble() : null)
                                .put("heapBytes", runtime.totalMemory() - runtime.freeMemory())
                                .put("localDecisions", health.localDecisions()));
        view.addTo(frame);
        return frame;
    }

    private JsonObject state() {
        return server.get()
                .put("total", limits.total())
                .put("limits", limits.rows())
                .put("candidates", limits.candidates())
                .put("history", limits.before());
    }

    private Set<LimitedKey> staleKeys() {
        return lists.stale(System.nanoTime());
    }

    /** Reads the state of keys. The future completes when the answers are among the reports; it does not fail. */
    private CompletableFuture<Void> peek(Set<LimitedKey> keys) {
        return CompletableFuture.allOf(keys.stream().map(this::peek).toArray(CompletableFuture<?>[]::new));
    }

    /** If the store fails, what is known of the key stays. */
    private CompletableFuture<Void> peek(LimitedKey key) {
        RuleId rule = key.row().rule;
        return store.peekAsync(Request.of(rule.limiter(), rule.limits(), key.key(), 1))
                .thenAccept(decision -> {
                    long nanos = System.nanoTime();
                    Status status = decision.statuses().get(key.row().position);
                    long left = decision.blocked() || decision.degraded() // which says nothing of its use
                            ? status.limit().maxPermitsPerRequest()
                            : status.remaining();
                    recorder.events.offer(all -> all.peeked(key, left, decision.retryAfterNanos(), nanos));
                })
                .exceptionally(failure -> null);
    }

    /** Adds a viewer, which is sent the state, and then a frame each second. */
    public void join(Viewer viewer) {
        execute(() -> {
            version = viewers.isEmpty() ? latestVersion() : version;
            if (viewer.send(event("state", state()))) {
                viewers.add(viewer);
            }
        });
    }

    /**
     * Lists keys.
     *
     * @param by denied, fullest or blocked
     * @return a future of the list, or of null if there is no such list
     */
    public CompletableFuture<@Nullable JsonObject> top(String by) {
        Function<LiveView, Object> list = switch (by) {
            case "denied" -> LiveView::denied;
            case "fullest" -> LiveView::fullest;
            case "blocked" -> LiveView::blocked;
            default -> null;
        };
        if (list == null) {
            return CompletableFuture.completedFuture(null);
        }
        return ask(this::staleKeys)
                .thenCompose(this::peek)
                .thenCompose(peeked -> ask(() -> new JsonObject()
                        .put("by", by)
                        .put("keys", list.apply(view))
                        .put("limitedKeys", lists.limited.count())
                        .put("dropped", recorder.dropped())));
    }

    /**
     * Returns when a key was denied.
     *
     * @return a future of the denials by each of its limits, in the bins of {@link DenialTimes}, oldest first and up to now; without
     *     bins for a limit of which nothing is known
     */
    public CompletableFuture<List<long[]>> denials(RuleId rule, String key) {
        return ask(() -> {
            RuleRows rows = recorder.rules.find(rule);
            if (rows == null) {
                return List.of();
            }
            return rows.rows().stream()
                    .map(row -> lists.denied.times(new LimitedKey(row, key), System.nanoTime()))
                    .toList();
        });
    }

    /** {@return a future of how candidates compare with live limits} */
    public CompletableFuture<JsonObject> candidates() {
        return ask(() -> new JsonObject().put("candidates", LiveView.comparisons(recorder.rules.comparisons())));
    }

    /** Answers a question with all that was decided before. */
    private <T> CompletableFuture<T> ask(Supplier<T> question) {
        return CompletableFuture.supplyAsync(
                () -> {
                    recorder.events.drainTo(lists);
                    return question.get();
                },
                thread);
    }

    /**
     * Notes that an operator blocked a key.
     *
     * @param rule the rule through which it was blocked
     */
    public void blocked(RuleId rule, String key, Instant until) {
        execute(() -> lists.blocked.add(rule, key, until));
    }

    /**
     * Notes that an operator lifted the block of a key.
     *
     * @param rule the rule through which it was lifted
     */
    public void unblocked(RuleId rule, String key) {
        execute(() -> lists.blocked.remove(rule, key));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
