package dev.weir.replay;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A line that is one JSON object; its own fields are read, and what is nested in them is passed over. */
final class JsonlParser implements LineParser {
    private static final String NOT_AN_OBJECT = "not one JSON object";

    private final JsonFactory json = new JsonFactory();
    private final String key;
    private final Fields fields;

    JsonlParser(String key, TimeParser time) {
        this.key = key;
        this.fields = new Fields(time, "field '" + key + "'");
    }

    @Override
    public @Nullable String parse(byte[] line, int from, int to, Request request) {
        // As text, since a server may write the bytes of a bad URL as they came
        return read(new String(line, from, to - from, StandardCharsets.UTF_8)) ? fields.fill(request) : NOT_AN_OBJECT;
    }

    /** Whether a line is an object, whatever is in it. */
    static boolean isObject(String line) {
        return new JsonlParser(Fields.TIME, new AnyTime()).read(line);
    }

    private boolean read(String line) {
        fields.clear();
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (value.isStructStart()) {
                    parser.skipChildren();
                } else if (value != JsonToken.VALUE_NULL) {
                    take(name, parser);
                }
            }
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    private void take(String name, JsonParser parser) {
        if (name.equals(Fields.TIME)) {
            fields.time = parser.getString();
        }
        if (name.equals(Fields.PERMITS)) {
            fields.permits = parser.getString();
        }
        if (name.equals(key)) {
            fields.key = parser.getString();
        }
    }
}
