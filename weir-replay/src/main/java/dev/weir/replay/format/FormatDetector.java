package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Detects a log's format by its first lines. */
final class FormatDetector {
    static final int HEAD = 1 << 16; // 64 KiB, in which the format must show
    static final String BINARY = "the log is not text: it looks like binary data";

    private static final int MAX_CONTROLS_PERCENT = 10;
    private static final int MAX_LINES = 200;
    private static final Pattern JSON_ARRAY = Pattern.compile("\\s*\\[\\s*(\\{|$)");

    private final LogOptions options;
    private final LineParser combined;
    private final LineParser usual; // combined, whatever form of the time is given
    private @Nullable LineParser json; // created, like presets, for the first line that needs it
    private final Map<Preset, LineParser> presets = new LinkedHashMap<>();
    private final Request request = new Request();

    FormatDetector(LogOptions options) {
        this.options = options;
        combined = new LineParsers(options).combined(CombinedParser.KeyPart.PATH);
        usual = new LineParsers(LogOptions.DEFAULT).combined(CombinedParser.KeyPart.PATH);
    }

    /**
     * Returns the format that the options name, or else the one that shows in the beginning of a log.
     *
     * @throws LogException if there is none, or if the lines do not end with newlines
     */
    static LogFormat require(byte[] head, LogOptions options) throws IOException {
        LogInput.requireNewlines(head);
        LogFormat format =
                options.format() == LogFormat.AUTO ? new FormatDetector(options).detect(head) : options.format();
        if (format == null) {
            throw new LogException(refusal(head));
        }
        return format;
    }

    /**
     * Returns the format of the first line that has any. A csv log is detected by its header only. If lines only look like a
     * format, with a fault that the parser can explain, or are JSON objects with other fields, such as messages at the start of a
     * server, it is that format only if no later line has any. Null if nothing shows.
     */
    @Nullable
    LogFormat detect(byte[] head) throws IOException {
        LineReader lines = new LineReader(new ByteArrayInputStream(head));
        LogFormat similar = null;
        for (int i = 0; i < MAX_LINES; i++) {
            String text = LineParsers.nextText(lines);
            if (text == null) {
                break;
            }
            LogFormat format = formatOf(lines);
            if (format == null && i == 0 && CsvParser.isHeader(text, options.timeField())) {
                format = LogFormat.CSV;
            }
            if (format != null) {
                return format;
            }
            similar = similar == null ? similarTo(lines) : similar;
        }
        return similar;
    }

    /** Returns whether the format shows in a beginning of a log, or not at all. */
    static boolean isEnough(byte[] head) throws IOException {
        LineReader lines = new LineReader(new ByteArrayInputStream(head));
        int texts = 0;
        while (texts < MAX_LINES && LineParsers.nextText(lines) != null) {
            texts++;
        }
        return texts == MAX_LINES;
    }

    /** Returns the format that the current line has; null if it has none that a line shows by itself. */
    @Nullable
    LogFormat formatOf(LineReader lines) throws LogException {
        boolean hasObject =
                Bytes.indexOf(lines.bytes(), '{', lines.start(), lines.end()) < lines.end(); // behind a prefix, perhaps
        if (hasObject && parse(json(), lines) == null) {
            return LogFormat.JSONL;
        } else if (isCombined(combined, lines) || isCombined(usual, lines)) {
            return LogFormat.COMBINED;
        }
        List<String> names = W3cParser.names(lines.text());
        if (!names.isEmpty()) {
            return w3c(names);
        }
        for (Map.Entry<Preset, LineParser> preset : presets().entrySet()) {
            if (fits(preset, lines)) {
                return LogFormat.of(preset.getKey());
            }
        }
        return null;
    }

    private @Nullable LogFormat similarTo(LineReader lines) throws LogException {
        if (!JsonlParser.NOT_AN_OBJECT.equals(parse(json(), lines))) {
            return LogFormat.JSONL;
        }
        return isAlmostCombined(lines) ? LogFormat.COMBINED : null;
    }

    private LineParser json() {
        LineParser parser = json == null ? new LineParsers(options).jsonl() : json;
        json = parser;
        return parser;
    }

    /** Returns a parser for each preset. */
    private Map<Preset, LineParser> presets() throws LogException {
        if (presets.isEmpty()) {
            LineParsers byClient = new LineParsers(LogOptions.DEFAULT);
            for (Preset preset : Preset.ALL) {
                presets.put(preset, byClient.preset(preset));
            }
        }
        return presets;
    }

    /** Returns whether a line is one of a preset; if its client is not certain, its other fields show that. */
    private boolean fits(Map.Entry<Preset, LineParser> preset, LineReader lines) throws LogException {
        Refusal refusal = parse(preset.getValue(), lines);
        boolean noAddress =
                ClientReader.NO_ADDRESS.equals(refusal) && preset.getKey().shape() == Preset.Shape.TEMPLATE;
        return refusal == null || noAddress || ClientReader.LIST.equals(refusal);
    }

    private boolean isCombined(LineParser parser, LineReader lines) throws LogException {
        Refusal refusal = parse(parser, lines);
        return refusal == null || !refusal.unreadable();
    }

    private boolean isAlmostCombined(LineReader lines) throws LogException {
        Refusal refusal = parse(combined, lines);
        return refusal != null && refusal.hint() != null;
    }

    private @Nullable Refusal parse(LineParser parser, LineReader lines) throws LogException {
        return parser.parse(lines.bytes(), lines.start(), lines.end(), request);
    }

    private static @Nullable LogFormat w3c(List<String> names) {
        if (!names.contains("c-ip") || !names.contains("date")) {
            return null;
        }
        return LogFormat.of(names.contains("x-edge-location") ? Preset.CLOUDFRONT : Preset.IIS);
    }

    /** Returns what to say about a log whose format does not show. */
    private static String refusal(byte[] head) throws IOException {
        LineReader lines = new LineReader(new ByteArrayInputStream(head));
        String first = LineParsers.nextText(lines);
        if (first == null) {
            return LineParsers.NO_LINES;
        } else if (JSON_ARRAY.matcher(first).lookingAt()) {
            return "the log is a JSON array, which is not read; jq -c '.[]' writes each of its objects on a line";
        }
        List<String> names = new ArrayList<>(LogFormat.names());
        names.remove(LogFormat.AUTO.name());
        return isBinary(head)
                ? BINARY
                : "the log's format does not show in its first lines; --format gives it: " + String.join(", ", names)
                        + " or regex:PATTERN; line " + lines.number() + ": "
                        + Excerpt.of(lines.text());
    }

    /** Returns whether bytes are unlikely to be text: a NUL, or many other control characters. */
    static boolean isBinary(byte[] head) {
        int controls = 0;
        for (byte character : head) {
            if (character == 0) {
                return true;
            }
            if (character > 0 && character < ' ' && character != '\t' && character != '\n' && character != '\r') {
                controls++;
            }
        }
        return controls * 100L > (long) head.length * MAX_CONTROLS_PERCENT;
    }
}
