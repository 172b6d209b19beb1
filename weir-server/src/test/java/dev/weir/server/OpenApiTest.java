package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.config.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The document of the interface describes each field of the answers, with its type. */
final class OpenApiTest extends ServerTest {
    private static final String DECIDE = "{\"key\":\"ann\",\"policy\":\"api\"}";
    private static final String KEY = "/v1/keys/ann?policy=api";
    private static final String CONFIGURATION = """
            policies:
              api:
                limits: [2/1m, token-bucket 100/1h]
                candidate: 1/1m
            domain: edge
            descriptors:
              - key: path
                rate_limit: {unit: minute, requests_per_unit: 1}
              - key: user
            """;
    private static final Map<String, Class<?>> TYPES = Map.of(
            "string", String.class,
            "integer", Number.class,
            "number", Number.class,
            "boolean", Boolean.class,
            "array", JsonArray.class,
            "object", JsonObject.class);

    private final JsonObject document = new JsonObject(Resources.text("openapi.json"));
    private final List<String> undescribed = new ArrayList<>();

    private JsonObject resolved(JsonObject described) {
        JsonObject found = described;
        while (found.containsKey("$ref")) {
            JsonObject place = document;
            for (String name : found.getString("$ref").substring(2).split("/", -1)) {
                place = place.getJsonObject(name);
            }
            found = place;
        }
        return found;
    }

    /** Returns the schema of a field; null if there is none. */
    private @Nullable JsonObject property(JsonObject schema, String field) {
        Stream<Object> parts = schema.getJsonArray("allOf", JsonArray.of(schema)).stream();
        return parts.map(part -> resolved((JsonObject) part)
                        .getJsonObject("properties", new JsonObject())
                        .getJsonObject(field))
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private static boolean isOfType(@Nullable Object value, Object types) {
        Stream<?> names = types instanceof JsonArray list ? list.stream() : Stream.of(types);
        return names.anyMatch(type -> value == null
                ? type.equals("null")
                : TYPES.getOrDefault(type, Void.class).isInstance(value));
    }

    private void compare(@Nullable Object value, @Nullable JsonObject described, String place) {
        JsonObject schema = described == null ? new JsonObject() : resolved(described);
        if (!schema.containsKey("allOf") && !isOfType(value, schema.getValue("type", "none"))) {
            undescribed.add(place);
        } else if (value instanceof JsonObject object) {
            object.forEach(
                    field -> compare(field.getValue(), property(schema, field.getKey()), place + "." + field.getKey()));
        } else if (value instanceof JsonArray list) {
            list.forEach(element -> compare(element, schema.getJsonObject("items"), place + "[]"));
        }
    }

    private void compare(String path, String method, HttpResponse<String> response, int status) {
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        JsonObject responses = document.getJsonObject("paths")
                .getJsonObject(path)
                .getJsonObject(method)
                .getJsonObject("responses");
        String code = Integer.toString(status);
        JsonObject content = resolved(responses.getJsonObject(code, responses.getJsonObject("default")))
                .getJsonObject("content");
        String type = response.headers().firstValue("content-type").orElseThrow();
        compare(json(response), content.getJsonObject(type).getJsonObject("schema"), path + " " + status);
    }

    @Test
    void answers_haveTheDescribedFields() throws IOException {
        start(CONFIGURATION);

        compare("/v1/decide", "post", decide(DECIDE), 200);
        compare("/v1/auth", "get", get("/v1/auth?policy=api&key=ann"), 200);
        compare("/v1/auth", "get", get("/v1/auth?policy=api&key=ann&deny=403"), 403);
        compare("/v1/decide", "post", decide("{}"), 400);
        compare("/v1/keys/{key}", "get", get(KEY), 200);
        assertThat(http("PUT", "/v1/keys/ann/block?policy=api&for=10m", "").statusCode())
                .isEqualTo(204);
        compare("/v1/decide", "post", decide(DECIDE), 429);
        compare("/v1/keys/{key}", "get", get(KEY), 200);
        compare("/v1/keys/{key}", "get", get("/v1/keys/path=a?domain=edge"), 200);
        compare("/v1/keys/{key}", "get", get("/v1/keys/user=a?domain=edge"), 404);
        for (int i = 0; i < 3; i++) {
            decide("{\"key\":\"bob\",\"policy\":\"api\"}");
        }
        for (String list : List.of("denied", "fullest", "blocked")) {
            HttpResponse<String> top = get("/v1/top?by=" + list);
            assertThat(json(top).getJsonArray("keys")).as(list).isNotEmpty();
            compare("/v1/top", "get", top, 200);
        }
        compare("/v1/candidates", "get", get("/v1/candidates"), 200);
        compare("/v1/configuration", "get", get("/v1/configuration"), 200);

        assertThat(undescribed).isEmpty();
    }
}
