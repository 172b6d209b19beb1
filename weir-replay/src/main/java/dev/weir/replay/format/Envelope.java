package dev.weir.replay.format;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON object in which a logging system keeps one line of a program: {@code log} of Docker and Fluent Bit, {@code MESSAGE} of
 * {@code journalctl -o json}, {@code message} of Logstash and others.
 */
final class Envelope {
    private static final List<String> MESSAGE_FIELDS = List.of("log", "MESSAGE", "message");
    private static final JsonFactory JSON = new JsonFactory();

    private Envelope() {}

    /** Returns the line in the object, without its line end; null if the bytes are not such an object. */
    static byte @Nullable [] message(byte[] line, int from, int to) {
        String object = new String(line, from, to - from, StandardCharsets.UTF_8);
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), object)) {
            parser.nextToken();
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING && MESSAGE_FIELDS.contains(name)) {
                    return Request.bytes(parser.getString().stripTrailing());
                }
                parser.skipChildren();
            }
        } catch (JacksonException notJson) {
            return null;
        }
        return null;
    }
}
