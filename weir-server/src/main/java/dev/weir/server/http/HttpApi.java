package dev.weir.server.http;

import dev.weir.internal.Futures;
import dev.weir.server.live.LiveSampler;
import dev.weir.store.StoreException;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds what answers an HTTP request. What a client does wrong is answered with problem details. Thread-safe. */
public final class HttpApi {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");
    private static final String KEYS = "/v1/keys/";
    private static final String TRACE = "/trace.csv";
    private static final String BLOCK = "/block";
    private static final String OTHER = "other";

    private final DecideEndpoint decide;
    private final KeysEndpoint keys;
    private final LiveSampler live;
    private final AdminAccess admin;
    private final DashboardFiles dashboard = new DashboardFiles();
    private final Map<String, Function<HttpCall, CompletableFuture<HttpReply>>> routes; // by path

    public HttpApi(
            DecideEndpoint decide,
            AuthEndpoint auth,
            KeysEndpoint keys,
            StatusEndpoint status,
            LiveSampler live,
            AdminAccess admin) {
        this.decide = decide;
        this.keys = keys;
        this.live = live;
        this.admin = admin;
        this.routes = Map.of(
                "/v1/decide", this::decide,
                "/v1/auth", call -> get(call, () -> auth.handle(call)),
                "/v1/configuration", call -> getAsAdmin(call, () -> done(status.configuration())),
                "/v1/events", call -> getAsAdmin(call, () -> done(HttpReply.stream())),
                "/v1/top", call -> getAsAdmin(call, () -> top(call)),
                "/v1/candidates",
                        call -> getAsAdmin(call, () -> live.candidates().thenApply(HttpReply::json)),
                "/metrics", call -> get(call, () -> status.metrics(call.coding())),
                "/healthz", call -> get(call, () -> done(status.health())),
                "/readyz", call -> get(call, () -> done(status.readiness())),
                "/openapi.json", call -> get(call, () -> done(status.openApi(call))));
    }

    /** Answers a request; the future never fails. */
    CompletableFuture<HttpReply> handle(HttpCall call) {
        boolean head = call.method().equals("HEAD");
        HttpCall routed = head ? call.asGet() : call;
        return Futures.attempt(() -> route(routed))
                .exceptionally(failure -> failed(Futures.cause(failure)))
                .thenApply(reply -> head ? reply.withoutBody() : reply);
    }

    private CompletableFuture<HttpReply> route(HttpCall call) {
        Function<HttpCall, CompletableFuture<HttpReply>> route = routes.get(call.path());
        if (route != null) {
            return route.apply(call);
        }
        return call.path().startsWith(KEYS) ? key(call) : done(file(call));
    }

    /** Returns the name of a path in metrics, of which there are few. */
    String nameOf(@Nullable String path) {
        if (path == null) { // of CONNECT over HTTP/2
            return OTHER;
        }
        return routes.containsKey(path) ? path : path.startsWith(KEYS) ? KEYS + "{key}" : OTHER;
    }

    private CompletableFuture<HttpReply> decide(HttpCall call) {
        allow(call, "POST");
        return decide.handle(call);
    }

    private static CompletableFuture<HttpReply> get(HttpCall call, Supplier<CompletableFuture<HttpReply>> answer) {
        allow(call, "GET");
        return answer.get();
    }

    private CompletableFuture<HttpReply> getAsAdmin(HttpCall call, Supplier<CompletableFuture<HttpReply>> answer) {
        allow(call, "GET");
        admin.check(call);
        return answer.get();
    }

    private CompletableFuture<HttpReply> top(HttpCall call) {
        String by = call.parameters(List.of("by")).one("by").orElse("denied");
        return live.top(by).thenApply(list -> {
            if (list == null) {
                throw HttpProblem.badRequest("by must be denied, fullest or blocked, was '" + by + "'");
            }
            return HttpReply.json(list);
        });
    }

    private HttpReply file(HttpCall call) {
        HttpReply file = dashboard.reply(call);
        if (file == null) {
            throw new HttpProblem(404, "there is nothing at '" + call.path() + "'; see /openapi.json");
        }
        allow(call, "GET");
        return file;
    }

    private CompletableFuture<HttpReply> key(HttpCall call) {
        admin.check(call);
        String rest = call.path().substring(KEYS.length());
        boolean block = rest.endsWith(BLOCK);
        boolean trace = rest.endsWith(TRACE);
        String part = block ? BLOCK : trace ? TRACE : "";
        String encoded = rest.substring(0, rest.length() - part.length());
        if (encoded.isEmpty() || encoded.indexOf('/') >= 0) {
            throw new HttpProblem(404, "a key must be one segment of the path, with / written as %2F");
        }
        String key = HttpCall.decoded(encoded);
        if (block) {
            allow(call, "PUT", "DELETE");
            return call.method().equals("PUT") ? keys.block(call, key) : keys.unblock(call, key);
        }
        if (trace) {
            allow(call, "GET");
            return keys.trace(call, key);
        }
        allow(call, "GET", "DELETE");
        return call.method().equals("GET") ? keys.show(call, key) : keys.reset(call, key);
    }

    /** HEAD is allowed where GET is. */
    private static void allow(HttpCall call, String... methods) {
        if (!Set.of(methods).contains(call.method())) {
            String allowed = String.join(", ", methods).replace("GET", "GET, HEAD");
            throw new HttpProblem(
                    405,
                    "the method must be " + String.join(" or ", methods),
                    Map.of("Allow", allowed),
                    new JsonObject());
        }
    }

    private static CompletableFuture<HttpReply> done(HttpReply reply) {
        return CompletableFuture.completedFuture(reply);
    }

    private static HttpReply failed(Throwable failure) {
        if (failure instanceof HttpProblem problem) {
            return HttpReply.problem(problem);
        } else if (failure instanceof StoreException) {
            return HttpReply.problem(new HttpProblem(503, "the store failed; the log of the server says why"));
        }
        LOG.log(Level.ERROR, "a request failed", failure);
        return HttpReply.problem(new HttpProblem(500, "the server failed; its log says why"));
    }
}
