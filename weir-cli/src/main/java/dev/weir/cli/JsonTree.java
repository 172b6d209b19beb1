package dev.weir.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A value of a JSON text. What is missing, or of another kind than it is asked for, is empty, zero or an empty list: a newer server may
 * send more or less.
 */
final class JsonTree {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonTree NOTHING = new JsonTree(null);

    private final @Nullable Object value;

    private JsonTree(@Nullable Object value) {
        this.value = value;
    }

    /**
     * Parses a text.
     *
     * @throws IllegalArgumentException if it is not JSON
     */
    static JsonTree parse(String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return new JsonTree(read(parser, parser.nextToken()));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static @Nullable Object read(JsonParser parser, @Nullable JsonToken token) {
        if (token == null) {
            throw new IllegalArgumentException("not JSON: it ends too early");
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, JsonTree> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    members.put(name, new JsonTree(read(parser, parser.nextToken())));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<JsonTree> elements = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    elements.add(new JsonTree(read(parser, next)));
                }
                yield elements;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_STRING -> parser.getString();
            default -> null;
        };
    }

    /** Returns a member of an object. */
    JsonTree get(String name) {
        return value instanceof Map<?, ?> members && members.get(name) instanceof JsonTree member ? member : NOTHING;
    }

    /** Returns an element of an array. */
    JsonTree get(int index) {
        List<JsonTree> elements = list();
        return index < elements.size() ? elements.get(index) : NOTHING;
    }

    /** Returns the elements of an array. */
    List<JsonTree> list() {
        List<JsonTree> elements = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object element : list) {
                if (element instanceof JsonTree tree) {
                    elements.add(tree);
                }
            }
        }
        return elements;
    }

    /** Returns a number without its fraction. */
    long number() {
        return value instanceof Double number ? number.longValue() : 0;
    }

    /** Returns a text. */
    String text() {
        return value instanceof String text ? text : "";
    }
}
