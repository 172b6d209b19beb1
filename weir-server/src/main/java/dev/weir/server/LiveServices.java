package dev.weir.server;

import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.StoreHealth;
import dev.weir.store.Store;

/** What records decisions and shows them to operators. Thread-safe. */
final class LiveServices implements AutoCloseable {
    private final Candidates candidates;
    private final KeyDisplay names;
    private final ServerDescription description;
    private final LiveSampler sampler;
    private final LiveDecisions decisions;
    private final EventStreams streams;

    /**
     * Creates the services.
     *
     * @param recorder has the rules of the configuration
     * @param health is notified of what the store does
     */
    LiveServices(
            ServerSettings settings,
            LiveConfiguration configuration,
            Store store,
            LiveRecorder recorder,
            StoreHealth health,
            ServerMetrics metrics) {
        candidates = new Candidates(store, recorder, metrics);
        names = new KeyDisplay(settings.hashShownKeys, settings.keySecret);
        description = new ServerDescription(settings, configuration);
        sampler = new LiveSampler(recorder, store, health, description, names);
        decisions = new LiveDecisions(recorder, health, candidates, configuration, settings.shadow);
        streams = new EventStreams(sampler);
        metrics.monitor(streams, recorder);
    }

    Candidates candidates() {
        return candidates;
    }

    KeyDisplay names() {
        return names;
    }

    LiveSampler sampler() {
        return sampler;
    }

    LiveDecisions decisions() {
        return decisions;
    }

    EventStreams streams() {
        return streams;
    }

    /** Begins to sample, of a server that listens on a port. */
    void start(int port) {
        description.listening(port);
        sampler.start();
    }

    /** Stops sampling. The streams are to be ended before. */
    @Override
    public void close() {
        sampler.close();
    }
}
