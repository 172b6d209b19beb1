package dev.weir.server.http;

import dev.weir.server.live.LiveSampler;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lists for operators: {@code /v1/top} and {@code /v1/candidates}. Thread-safe. */
public final class LiveEndpoint {
    private final LiveSampler sampler;

    public LiveEndpoint(LiveSampler sampler) {
        this.sampler = sampler;
    }

    CompletableFuture<HttpReply> candidates() {
        return sampler.candidates().thenApply(HttpReply::json);
    }

    CompletableFuture<HttpReply> top(HttpCall call) {
        String by = call.parameters(List.of("by")).one("by").orElse("denied");
        return sampler.top(by).thenApply(list -> {
            if (list == null) {
                throw HttpProblem.badRequest("by must be denied, fullest or blocked, was '" + by + "'");
            }
            return HttpReply.json(list);
        });
    }
}
