package dev.weir.replay.format;

import dev.weir.replay.time.AnyTime;
import dev.weir.replay.time.TimeParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The names of the fields of a JSON object, for hints that suggest options. Nested fields are named by their path with dots. */
final class JsonFields {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MAX_DEPTH = 8;
    private static final int MAX_FIELDS = 100;
    private static final Pattern USUAL_TIME = Pattern.compile("(?i)[@_]*(ts|time|timestamp|datetime|date)");
    private static final long YEAR_2000 =
            946_684_800_000_000_000L; // earlier numbers are more likely sizes or durations

    private final TimeParser timeParser = new AnyTime(null, null);
    private final List<String> names = new ArrayList<>();
    private final List<String> times = new ArrayList<>(); // those that look like times, first the usual names
    private int usual;

    /** Reads the fields of an object, which must be valid JSON. */
    JsonFields(String object) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), object)) {
            parser.nextToken();
            read(parser, "", 1);
        }
    }

    private void read(JsonParser parser, String prefix, int depth) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT && depth < MAX_DEPTH) {
                read(parser, prefix + name + ".", depth + 1);
            } else if (value.isStructStart()) {
                parser.skipChildren();
            } else if (names.size() < MAX_FIELDS) {
                names.add(prefix + name);
                if (USUAL_TIME.matcher(name).matches()) {
                    times.add(usual++, prefix + name);
                } else if (isTime(name, parser.getString())) {
                    times.add(prefix + name);
                }
            }
        }
    }

    private boolean isTime(String name, String value) {
        if (name.toLowerCase(Locale.ROOT).endsWith("timestamp")) {
            return true;
        }
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        long time = timeParser.parse(bytes, 0, bytes.length);
        return time >= YEAR_2000 || time == TimeParser.YEAR_UNKNOWN;
    }

    /** Returns how to name the field with the time; null if the object has no fields. */
    @Nullable
    String timeHint() {
        String option = "--time-field NAME names the field with the time";
        return times.isEmpty() ? listed(option) : option + ", such as " + Excerpt.of(String.join(", ", times));
    }

    /** Returns how to name the field with the key; null if the object has no fields. */
    @Nullable
    String keyHint() {
        return listed("--key NAME counts by another field");
    }

    private @Nullable String listed(String option) {
        return names.isEmpty() ? null : option + "; the line has " + Excerpt.of(String.join(", ", names));
    }
}
