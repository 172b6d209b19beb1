package dev.weir.server.http;

import dev.weir.Request;
import dev.weir.http.ClientAddress;
import dev.weir.http.RateLimitResponse;
import dev.weir.server.http.HttpCall.Parameters;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /v1/auth}: the check of a proxy before it forwards a request, as nginx's {@code auth_request} and Traefik's
 * {@code ForwardAuth} make it. Thread-safe.
 */
public final class AuthEndpoint {
    private static final List<String> PARAMETERS = List.of("policy", "limit", "key", "permits", "deny");
    private static final int FORBIDDEN = 403;

    private final PolicyRequests policies;
    private final DecisionReply replies;
    private final ClientAddress address;

    /**
     * Creates the endpoint.
     *
     * @param address finds the client, which is the key if none is given
     */
    public AuthEndpoint(PolicyRequests policies, DecisionReply replies, ClientAddress address) {
        this.policies = policies;
        this.replies = replies;
        this.address = address;
    }

    CompletableFuture<HttpReply> handle(HttpCall call) {
        Parameters parameters = call.parameters(PARAMETERS);
        int denied = denied(parameters);
        String key = parameters.one("key").orElseGet(() -> address.find(call.peer(), call.headers()));
        Request request =
                policies.request(parameters.one("policy"), parameters.all("limit"), key, parameters.permits());
        List<Request> requests = List.of(request);
        return policies.decide(requests).thenApply(decision -> replies.of(decision, requests, denied));
    }

    /** nginx answers 500 if a check is denied with 429, so that it can be 403. */
    private static int denied(Parameters parameters) {
        String status = parameters.one("deny").orElse("429");
        return switch (status) {
            case "429" -> RateLimitResponse.TOO_MANY_REQUESTS;
            case "403" -> FORBIDDEN;
            default -> throw HttpProblem.badRequest("deny must be 429 or 403, was '" + status + "'");
        };
    }
}
