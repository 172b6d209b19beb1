package dev.weir.server.http;

import dev.weir.server.config.Configuration;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Resources;
import dev.weir.server.decision.ServerMetrics;
import dev.weir.server.net.ContentCoding;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the server says of itself: health, metrics, its interface and the configuration in force. Thread-safe. */
public final class StatusEndpoint {
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json";

    private final LiveConfiguration configuration;
    private final ServerMetrics metrics;
    private final StaticText openApi = new StaticText(Resources.text("openapi.json"), JSON, Map.of());
    private volatile boolean ready;

    public StatusEndpoint(LiveConfiguration configuration, ServerMetrics metrics) {
        this.configuration = configuration;
        this.metrics = metrics;
    }

    /** Sets whether the server accepts requests. */
    public void ready(boolean ready) {
        this.ready = ready;
    }

    HttpReply health() {
        return text(200, "ok\n");
    }

    HttpReply readiness() {
        return ready ? text(200, "ready\n") : text(503, "not ready\n");
    }

    HttpReply openApi(HttpCall call) {
        return openApi.reply(call);
    }

    /** Returns the metrics, which are not written on the event loop. */
    CompletableFuture<HttpReply> metrics(ContentCoding coding) {
        return metrics.scrape(coding).thenApply(text -> new HttpReply(200, coding.headers(), ServerMetrics.TYPE, text));
    }

    private static HttpReply text(int status, String text) {
        return new HttpReply(status, Map.of(), TEXT, text);
    }

    /** Returns what is in force, and why the latest files are not. */
    HttpReply configuration() {
        Configuration current = configuration.current();
        return HttpReply.json(new JsonObject()
                .put(
                        "domains",
                        new JsonArray(
                                current.domains().keySet().stream().sorted().toList()))
                .put(
                        "policies",
                        new JsonArray(
                                current.policies().keySet().stream().sorted().toList()))
                .put("problems", new JsonArray(configuration.problems())));
    }
}
