package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.util.List;

/**
 * The names of the fields that a request is read from. Where there are several, the first one that a line has counts.
 *
 * @param time the names for the time
 * @param key the names for the key
 * @param kind how the key's text is understood
 * @param keyName the key in messages, such as {@code value in field 'ip'}
 */
record FieldPlan(List<String> time, List<String> key, KeyReader.Kind kind, String keyName) {
    static final String PERMITS = "permits";

    FieldPlan {
        time = List.copyOf(time);
        key = List.copyOf(key);
        if (time.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException("time and key must each have a name");
        }
    }

    /**
     * Returns the plan for csv and jsonl, where {@code --key} is the name of a field: ip is the client, user the user, and path a URL,
     * whose query is no part of the key.
     */
    static FieldPlan of(LogOptions options) {
        String key = options.key();
        KeyReader.Kind kind = switch (key) {
            case "ip" -> KeyReader.Kind.CLIENT;
            case "user" -> KeyReader.Kind.USER;
            case "path" -> KeyReader.Kind.URL;
            default -> KeyReader.Kind.TEXT;
        };
        return new FieldPlan(List.of(options.timeField()), List.of(key), kind, valueOf(key));
    }

    /**
     * Returns the plan for a preset, where ip, user and path have the meaning that the preset gives them.
     *
     * @throws LogException if the preset has no such key
     */
    static FieldPlan of(Preset preset, LogOptions options) throws LogException {
        List<String> time = options.hasTimeField() ? List.of(options.timeField()) : preset.time();
        return switch (options.key()) {
            case "ip" -> new FieldPlan(time, preset.client(), preset.clientKind(), "address");
            case "user" -> new FieldPlan(time, userFields(preset), KeyReader.Kind.USER, "user");
            case "path" -> new FieldPlan(time, preset.path(), preset.pathKind(), "path");
            default ->
                new FieldPlan(time, List.of(options.key()), KeyReader.Kind.TEXT_OR_HYPHEN, valueOf(options.key()));
        };
    }

    /** Returns the name of a value in messages that say it is absent: the field is missing, null, empty or a hyphen. */
    private static String valueOf(String field) {
        return "value in field '" + field + "'";
    }

    private static List<String> userFields(Preset preset) throws LogException {
        if (preset.user().isEmpty()) {
            throw new LogException(
                    "the log of " + preset.product() + " has no user; --key must be ip, path or a field");
        }
        return preset.user();
    }
}
