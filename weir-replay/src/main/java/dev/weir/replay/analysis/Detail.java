package dev.weir.replay.analysis;

import dev.weir.replay.Recording;
import dev.weir.replay.trace.EventConsumer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The last pass over a trace: the timeline of each limit, the scenes, and the clients in detail. */
final class Detail implements EventConsumer {
    private final Recording recording;
    private final int first;
    private final TimeAxis axis;
    private final List<Scene> scenes;
    private final Map<Integer, Client> clients;
    private final List<Timeline> timelines;
    private long request;

    Detail(Recording recording, int first, TimeAxis axis, List<Scene> scenes, Map<Integer, Client> clients) {
        this.recording = recording;
        this.first = first;
        this.axis = axis;
        this.scenes = scenes;
        this.clients = clients;
        this.timelines = IntStream.range(0, recording.results().size())
                .mapToObj(limit -> new Timeline(axis.buckets()))
                .toList();
    }

    List<Timeline> timelines() {
        return timelines;
    }

    @Override
    public void accept(long timeNanos, int keyId, long permits) {
        int bucket = axis.bucket(timeNanos);
        Client client = clients.get(keyId);
        for (int limit = 0; limit < timelines.size(); limit++) {
            boolean allowed = recording.allowed(limit, request);
            timelines.get(limit).add(bucket, allowed);
            if (client != null && !allowed) {
                client.addDenial(limit);
            }
        }
        if (client != null) {
            client.add(bucket, timeNanos, recording.allowed(first, request));
        }
        for (Scene scene : scenes) {
            if (scene.keyId() == keyId) {
                scene.add(timeNanos, permits, recording.allowed(scene.limitIndex(), request));
            }
        }
        request++;
    }
}
