package dev.weir.cli;

import dev.weir.replay.ReplayResult;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.Trace;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The results as one JSON object on one line, the same bytes for the same results everywhere. */
final class ReplayJson {
    private ReplayJson() {}

    static byte[] write(Trace trace, List<ReplayResult> results) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeNumberProperty("requests", trace.requests());
            json.writeNumberProperty("keys", trace.keys());
            json.writeNumberProperty("skipped", trace.skipped());
            json.writeArrayPropertyStart("results");
            results.forEach(result -> write(result, json));
            json.writeEndArray();
            json.writeEndObject();
        }
        out.writeBytes("\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static void write(ReplayResult result, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("limit", result.limit().toString());
        json.writeNumberProperty("allowed", result.allowed());
        json.writeNumberProperty("denied", result.denied());
        json.writeNumberProperty("worstWindow", result.worstWindow());
        json.writeArrayPropertyStart("topDenied");
        for (DeniedKey key : result.topDenied()) {
            json.writeStartObject();
            json.writeStringProperty("key", key.key());
            json.writeNumberProperty("denied", key.denied());
            json.writeEndObject();
        }
        json.writeEndArray();
        Delays delays = result.delays();
        if (delays != null) {
            json.writeNumberProperty("delayed", delays.delayed());
            json.writeNumberProperty("maxWaitMillis", delays.maxWaitMillis());
        }
        json.writeEndObject();
    }
}
