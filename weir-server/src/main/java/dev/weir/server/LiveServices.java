package dev.weir.server;

import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.decision.Candidates;
import dev.weir.server.decision.LiveDecisions;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.http.EventStreams;
import dev.weir.server.live.KeyNames;
import dev.weir.server.live.LiveRecorder;
import dev.weir.server.live.LiveSampler;
import dev.weir.server.live.StoreHealth;
import dev.weir.store.Store;

/** What records decisions and shows them to operators. Thread-safe. */
record LiveServices(
        Candidates candidates,
        KeyNames names,
        ServerDescription description,
        LiveSampler sampler,
        LiveDecisions decisions,
        EventStreams streams)
        implements AutoCloseable {

    /**
     * Creates the services.
     *
     * @param recorder has the rules of the configuration
     * @param health is notified of what the store does
     */
    static LiveServices create(
            ServerSettings settings,
            LiveConfiguration configuration,
            Store store,
            LiveRecorder recorder,
            StoreHealth health,
            ServerMetrics metrics) {
        Candidates candidates = new Candidates(store, recorder, metrics);
        KeyNames names = new KeyNames(settings.hashShownKeys, settings.keySecret);
        ServerDescription description = new ServerDescription(settings, configuration);
        LiveSampler sampler = new LiveSampler(recorder, store, health, description, names);
        EventStreams streams = new EventStreams(sampler);
        metrics.monitor(streams::count, recorder);
        return new LiveServices(
                candidates,
                names,
                description,
                sampler,
                new LiveDecisions(
                        recorder, health, candidates, configuration, settings.policyCounts(), settings.shadow),
                streams);
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
