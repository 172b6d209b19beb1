package dev.weir.replay.format;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A parser for lines that are one JSON object each. A field of a nested object is named by its path, with dots. */
final class JsonlParser implements LineParser {
    static final Refusal NOT_AN_OBJECT = Refusal.unreadable("not one JSON object");

    private static final int MAX_HINTS = 100; // lines whose fields are listed; only the first hint is shown

    private final JsonFactory json = new JsonFactory();
    private final Map<String, Target> targets = new LinkedHashMap<>(); // by their paths
    private final Fields fields;
    private int hints;

    JsonlParser(Fields fields) {
        this.fields = fields;
        for (List<String> paths : List.of(fields.time(), fields.key(), List.of(Fields.PERMITS))) {
            paths.forEach(path -> targets.put(path, new Target(path)));
        }
    }

    private @Nullable String value(String path) {
        return Objects.requireNonNull(targets.get(path)).value;
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) {
        // As text, since a server may write the bytes of a bad URL as they came
        String text = new String(line, from, to - from, StandardCharsets.UTF_8);
        if (!read(text)) {
            return NOT_AN_OBJECT;
        }
        for (Target target : targets.values()) {
            if (target.twice) {
                return Refusal.unreadable("field '" + target.path + "' is there twice");
            }
        }
        Refusal refusal = fields.fill(request, this::value);
        return refusal == null || hints == MAX_HINTS ? refusal : hinted(refusal, text);
    }

    /** Adds the fields of a line to a refusal that is due to the name of a field. */
    private Refusal hinted(Refusal refusal, String line) {
        String key = fields.key().size() == 1 ? value(fields.key().get(0)) : "-";
        boolean noKey = !refusal.unreadable() && (key == null || key.isEmpty());
        if (!noKey && !Refusal.NO_TIME.equals(refusal)) {
            return refusal;
        }
        hints++;
        JsonFields found = new JsonFields(line);
        return refusal.withHint(noKey ? found.keyHint() : found.timeHint());
    }

    private boolean read(String line) {
        targets.values().forEach(Target::clear);
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            readObject(parser, "", 1);
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }

    /** Reads the fields of an object. The recursion is as deep as the longest path that is looked for. */
    private void readObject(JsonParser parser, String prefix, int depth) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            String path = prefix.isEmpty() ? name : prefix + name;
            JsonToken value = parser.nextToken();
            Target target = targets.get(path);
            if (value == JsonToken.START_OBJECT && hasTargets(path)) {
                readObject(parser, path + ".", depth + 1);
            } else if (target == null || value == JsonToken.START_OBJECT) {
                parser.skipChildren(); // of an object or an array
            } else if (value == JsonToken.START_ARRAY) {
                target.found(texts(parser), depth);
            } else {
                target.found(value == JsonToken.VALUE_NULL ? null : parser.getString(), depth);
            }
        }
    }

    private boolean hasTargets(String object) {
        for (Target target : targets.values()) {
            if (target.isWithin(object)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the texts in an array as a list with commas, as a header that was sent several times. */
    private static String texts(JsonParser parser) {
        List<String> texts = new ArrayList<>();
        for (JsonToken value = parser.nextToken(); value != JsonToken.END_ARRAY; value = parser.nextToken()) {
            if (value == JsonToken.VALUE_STRING) {
                texts.add(parser.getString());
            } else if (value.isStructStart()) {
                parser.skipChildren();
            }
        }
        return String.join(", ", texts);
    }

    /**
     * A field to find in a JSON object, by a name that may contain dots: {@code a.b} is the field {@code a.b} or the field {@code b}
     * of the object {@code a}. The one with fewer levels counts. Reused from line to line.
     */
    private static final class Target {
        private final String path;
        private @Nullable String value; // null if there is none
        private int depth;
        private boolean twice; // so that the value is not certain

        Target(String path) {
            this.path = path;
        }

        void clear() {
            value = null;
            depth = Integer.MAX_VALUE;
            twice = false;
        }

        boolean isWithin(String object) {
            return path.length() > object.length() && path.startsWith(object) && path.charAt(object.length()) == '.';
        }

        /** Takes a value that was found at a depth; null if the field is there without a value. */
        void found(@Nullable String text, int at) {
            twice = at == depth || (twice && at > depth);
            if (at < depth) {
                depth = at;
                value = text;
            }
        }
    }
}
