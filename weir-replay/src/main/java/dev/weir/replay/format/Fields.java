package dev.weir.replay.format;

import dev.weir.replay.time.Digits;
import dev.weir.replay.time.TimeParser;
import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request from the texts of its fields, which all formats with named fields come down to. Where a field has several names,
 * the first one that a line has counts.
 */
final class Fields {
    static final String PERMITS = "permits";

    private final List<String> time;
    private final List<String> key;
    private final Refusal noKey;
    private final TimeParser timeParser;
    private final KeyReader keyReader;

    /**
     * Creates a reader.
     *
     * @param time the names for the time
     * @param key the names for the key
     * @param kind how the key's text is understood
     * @param keyName the key in messages, such as {@code value in field 'ip'}
     */
    private Fields(List<String> time, List<String> key, KeyReader.Kind kind, String keyName, LogOptions options) {
        this.time = time;
        this.key = key;
        this.noKey = Refusal.noKey(keyName);
        this.timeParser = options.timeParser();
        this.keyReader = new KeyReader(kind, noKey, options.client());
    }

    /** Returns the fields of a regular expression, which are its groups. */
    static Fields ofGroups(LogOptions options) {
        return new Fields(List.of("time"), List.of("key"), KeyReader.Kind.TEXT, "key", options);
    }

    /**
     * Returns the fields of csv and jsonl, where {@code --key} is the name of a field: ip is the client, user the user, and path a URL,
     * whose query is no part of the key.
     */
    static Fields of(LogOptions options) {
        String key = options.key();
        KeyReader.Kind kind = switch (key) {
            case "ip" -> KeyReader.Kind.CLIENT;
            case "user" -> KeyReader.Kind.USER;
            case "path" -> KeyReader.Kind.URL;
            default -> KeyReader.Kind.TEXT;
        };
        return new Fields(List.of(options.timeField()), List.of(key), kind, valueOf(key), options);
    }

    /**
     * Returns the fields of a preset, where ip, user and path have the meaning that the preset gives them.
     *
     * @throws LogException if the preset has no such key
     */
    static Fields of(Preset preset, LogOptions options) throws LogException {
        List<String> time = options.hasTimeField() ? List.of(options.timeField()) : preset.time();
        String key = options.key();
        return switch (key) {
            case "ip" -> new Fields(time, preset.client(), preset.clientKind(), "address", options);
            case "user" -> new Fields(time, userFields(preset), KeyReader.Kind.USER, "user", options);
            case "path" -> new Fields(time, preset.path(), preset.pathKind(), "path", options);
            default -> new Fields(time, List.of(key), KeyReader.Kind.TEXT_OR_HYPHEN, valueOf(key), options);
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

    /** Returns the names for the time. */
    List<String> time() {
        return time;
    }

    /** Returns the names for the key. */
    List<String> key() {
        return key;
    }

    /** Returns why a line without a key is no request. */
    Refusal noKey() {
        return noKey;
    }

    /**
     * Fills {@code request} from the values of a line, by their names. A date and the fields after it are the time together. Absent or
     * empty permits are 1. Returns null if the request is complete, otherwise why not.
     */
    @Nullable
    Refusal fill(Request request, Function<String, @Nullable String> values) {
        String timeText = time.get(0).equals("date")
                ? time.stream().map(values).filter(Objects::nonNull).collect(Collectors.joining(" "))
                : first(time, values);
        if (timeText == null || timeText.isEmpty()) {
            return Refusal.NO_TIME;
        }
        byte[] timeBytes = timeText.strip().getBytes(StandardCharsets.UTF_8);
        request.timeNanos = timeParser.parse(timeBytes, 0, timeBytes.length);
        Refusal refusal = Refusal.ofTime(request.timeNanos);
        if (refusal == null) {
            refusal = keyReader.read(first(key, values), request);
        }
        if (refusal != null) {
            return refusal;
        }
        String permits = values.apply(PERMITS);
        request.permits = permits == null || permits.isEmpty() ? 1 : number(permits.strip());
        return request.permits < 1 ? Refusal.BAD_PERMITS : null;
    }

    /** Returns the value of the first field with one; that of the last if none has one. */
    private static @Nullable String first(List<String> names, Function<String, @Nullable String> values) {
        String value = null;
        for (String name : names) {
            value = values.apply(name);
            if (value != null && !value.isEmpty() && !value.equals("-")) {
                return value;
            }
        }
        return value;
    }

    private static long number(String text) {
        byte[] digits = text.getBytes(StandardCharsets.UTF_8);
        return Digits.all(digits, 0, digits.length);
    }
}
