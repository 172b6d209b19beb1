package dev.weir.replay.format;

import dev.weir.replay.format.CombinedParser.KeyPart;
import dev.weir.replay.time.DatedTime;
import dev.weir.replay.time.TimeParser;
import dev.weir.replay.trace.LogException;
import java.io.IOException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates the parser for a format and the options of one log. */
final class LineParsers {
    static final String NO_LINES = "the log has nothing but blank lines";

    private final LogOptions options;

    LineParsers(LogOptions options) {
        this.options = options;
    }

    /**
     * Creates a parser.
     *
     * @param lines where a header is read from, if the format has one
     */
    LineParser of(LogFormat format, LineReader lines) throws IOException {
        return switch (format.kind()) {
            case AUTO -> throw new IllegalStateException("the format is detected before this");
            case COMBINED -> combined();
            case CSV -> new CsvParser(header(lines), Fields.of(options));
            case JSONL -> jsonl();
            case PRESET -> preset(Objects.requireNonNull(format.preset()));
            case REGEX -> regex(format);
        };
    }

    LineParser combined() throws LogException {
        if (options.hasTimeField()) {
            throw new LogException("--time-field names a field, which a combined log does not have");
        }
        KeyPart key = KeyPart.of(options.key());
        if (key == null) {
            throw new LogException(
                    "the key of a combined log must be ip, user or path, was '" + Excerpt.of(options.key()) + "'");
        }
        return combined(key);
    }

    LineParser combined(KeyPart key) {
        return new PrefixedParser(bareCombined(key));
    }

    LineParser jsonl() {
        return new PrefixedParser(new JsonlParser(Fields.of(options)));
    }

    LineParser preset(Preset preset) throws LogException {
        Fields fields = Fields.of(preset, options);
        return switch (preset.shape()) {
            case TEMPLATE -> new PrefixedParser(new TemplateParser(preset, fields));
            case JSON -> new PrefixedParser(new JsonlParser(fields));
            case JSON_OR_COMBINED -> new PrefixedParser(jsonOrCombined(new JsonlParser(fields)));
            case JSON_OR_W3C -> jsonOr(new W3cParser(preset, fields), new JsonlParser(fields));
        };
    }

    /** Combined lines have no fields, so a key or a time that names one is for JSON only. */
    private LineParser jsonOrCombined(LineParser json) {
        KeyPart key = KeyPart.of(options.key());
        return key == null || options.hasTimeField() ? json : jsonOr(bareCombined(key), json);
    }

    private static LineParser jsonOr(LineParser other, LineParser json) {
        return (line, from, to, request) -> {
            boolean object = from < to && line[from] == '{';
            return (object ? json : other).parse(line, from, to, request);
        };
    }

    private LineParser regex(LogFormat format) throws LogException {
        if (options.hasTimeField()) {
            throw new LogException("--time-field is not used with regex, where the group time is the time");
        }
        Pattern pattern = Objects.requireNonNull(format.pattern());
        return new RegexParser(pattern, Fields.ofGroups(options));
    }

    private LineParser bareCombined(KeyPart key) {
        TimeParser time = options.timeFormat() == null ? new DatedTime() : options.timeParser();
        return new CombinedParser(key, time, options.client());
    }

    private static String header(LineReader lines) throws IOException {
        String header = nextText(lines);
        if (header == null) {
            throw new LogException(NO_LINES);
        }
        return header;
    }

    /** Goes to the next line that is not blank and returns its text; null at the end. */
    static @Nullable String nextText(LineReader lines) throws IOException {
        while (lines.next()) {
            if (!lines.isBlank()) {
                return lines.text();
            }
        }
        return null;
    }
}
