package dev.weir.cli;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.weir.cli.terminal.Text;
import dev.weir.internal.KeyBytes;
import dev.weir.replay.format.GzipInput;
import dev.weir.testkit.TraceEvent;
import dev.weir.testkit.TraceEvent.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/** The decisions of a limiter as CSV: {@code time_nanos,key,permits,allowed}, with or without that line on top. */
final class TraceFile {
    private static final List<String> HEADER = List.of("time_nanos", "key", "permits", "allowed");
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private final String name;
    private final Map<String, String> keys = new HashMap<>(); // each once, however often it asks
    private final List<TraceEvent> events = new ArrayList<>();

    private TraceFile(String name) {
        this.name = name;
    }

    /**
     * Reads a trace to its end; gzip is unpacked.
     *
     * @param progress is notified of the bytes read from the file
     * @throws CommandFailure saying which line is wrong, and how
     */
    static List<TraceEvent> read(InputFile input, LongConsumer progress) {
        TraceFile trace = new TraceFile(input.name());
        try (CsvReader<CsvRecord> lines = CsvReader.builder()
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowUnclosedQuote(false)
                .ofCsvRecord(text(GzipInput.open(input.stream(), progress)))) {
            lines.forEach(trace::add);
        } catch (CsvParseException e) {
            throw trace.wrong(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            throw trace.unreadable(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw trace.unreadable(e);
        }
        if (trace.events.isEmpty()) {
            throw trace.wrong("no events in it; expected lines such as 1000000000,alice,1,1");
        }
        return trace.events;
    }

    /** The bytes as text, without a byte order mark; what is no UTF-8 is an error. */
    private static Reader text(InputStream bytes) throws IOException {
        Reader text = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()));
        text.mark(1);
        if (text.read() != BYTE_ORDER_MARK) {
            text.reset();
        }
        return text;
    }

    private CommandFailure unreadable(IOException e) {
        return e instanceof CharacterCodingException ? wrong("not text in UTF-8") : InputFile.unreadable(name, e);
    }

    private CommandFailure wrong(String what) {
        return new CommandFailure(name + ": " + what);
    }

    private CommandFailure wrong(CsvRecord line, String what) {
        return new CommandFailure(name + ", line " + line.getStartingLineNumber() + ": " + what);
    }

    private void add(CsvRecord line) {
        List<String> fields = line.getFields();
        if (events.isEmpty() && isHeader(fields)) {
            return;
        }
        if (fields.size() != HEADER.size()) {
            throw wrong(line, "expected " + String.join(",", HEADER) + ", found " + Text.count(fields.size(), "field"));
        }
        long timeNanos = number(line, 0, Long.MIN_VALUE);
        String key = key(line);
        events.add(new TraceEvent(timeNanos, key, number(line, 2, 1), kind(line)));
    }

    private static boolean isHeader(List<String> fields) {
        return fields.stream()
                .map(field -> field.strip().toLowerCase(Locale.ROOT))
                .toList()
                .equals(HEADER);
    }

    private String key(CsvRecord line) {
        String key = line.getField(1);
        if (key.isEmpty()) {
            throw wrong(line, "key is empty");
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > KeyBytes.MAX) {
            throw wrong(line, "key must be at most " + KeyBytes.MAX + " bytes long, was " + bytes);
        }
        return keys.computeIfAbsent(key, same -> same);
    }

    private long number(CsvRecord line, int field, long least) {
        String text = line.getField(field).strip();
        try {
            long value = Long.parseLong(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException none) {
            // reported below, like a number that is too small
        }
        String range = least == Long.MIN_VALUE ? "" : " of at least " + least;
        throw wrong(line, HEADER.get(field) + " must be a whole number" + range + ", was '" + text + "'");
    }

    private Kind kind(CsvRecord line) {
        String text = line.getField(3).strip();
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "true" -> Kind.ALLOWED;
            case "0", "false" -> Kind.DENIED;
            case "-1" -> Kind.REFUNDED;
            default ->
                throw wrong(line, "allowed must be 1 or true, 0 or false, or -1 for a refund, was '" + text + "'");
        };
    }
}
