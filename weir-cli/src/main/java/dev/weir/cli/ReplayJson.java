package dev.weir.cli;

import dev.weir.replay.Recording;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.ReplayResult.Delays;
import dev.weir.replay.ReplayResult.DeniedKey;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/** The results as one JSON object on one line, the same bytes for the same results everywhere. */
final class ReplayJson {
    private ReplayJson() {}

    /** Writes the object to a stream, with the differences between the first two limits if they are wanted. */
    static void write(Trace trace, Recording recording, boolean differences, OutputStream out) throws IOException {
        try (JsonGenerator json = AsciiJson.to(out)) {
            json.writeStartObject();
            json.writeNumberProperty("requests", trace.requests());
            json.writeNumberProperty("keys", trace.keys());
            json.writeNumberProperty("skipped", trace.skipped());
            json.writeArrayPropertyStart("results");
            recording.results().forEach(result -> write(result, json));
            json.writeEndArray();
            if (differences) {
                json.writeArrayPropertyStart("differences");
                recording.forEachDifference(trace, difference -> {
                    json.writeStartObject();
                    json.writeStringProperty(
                            "time",
                            Instant.EPOCH.plusNanos(difference.timeNanos()).toString());
                    json.writeStringProperty("key", difference.key());
                    json.writeNumberProperty("permits", difference.permits());
                    ReplayResult allowing = recording.results().get(difference.allowedBy());
                    json.writeStringProperty("allowedOnlyBy", allowing.limit().toString());
                    json.writeEndObject();
                });
                json.writeEndArray();
            }
            json.writeEndObject();
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        out.write('\n');
    }

    private static void write(ReplayResult result, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("limit", result.limit().toString());
        json.writeNumberProperty("allowed", result.allowed());
        json.writeNumberProperty("denied", result.denied());
        json.writeNumberProperty("worstWindow", result.worstWindow());
        writeTopDenied(result.topDenied(), json);
        Delays delays = result.delays();
        if (delays != null) {
            json.writeNumberProperty("delayed", delays.delayed());
            json.writeNumberProperty("maxWaitMillis", delays.maxWaitMillis());
        }
        json.writeEndObject();
    }

    /** Writes the property {@code topDenied}. */
    static void writeTopDenied(List<DeniedKey> keys, JsonGenerator json) {
        json.writeArrayPropertyStart("topDenied");
        for (DeniedKey key : keys) {
            json.writeStartObject();
            json.writeStringProperty("key", key.key());
            json.writeNumberProperty("denied", key.denied());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
