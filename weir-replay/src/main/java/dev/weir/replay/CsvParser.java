package dev.weir.replay;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A record of comma-separated values, whose columns the file's first line names. */
final class CsvParser implements LineParser {
    private static final CsvReader.CsvReaderBuilder CSV = CsvReader.builder().allowUnclosedQuote(false);

    private final int timeColumn;
    private final int keyColumn;
    private final int permitsColumn; // -1 if there is none
    private final Fields fields;

    /** A parser for the files with this header. */
    CsvParser(String header, String key, TimeParser time) throws LogException {
        List<String> names = names(header);
        timeColumn = names.indexOf(Fields.TIME);
        keyColumn = names.indexOf(key);
        permitsColumn = names.indexOf(Fields.PERMITS);
        fields = new Fields(time, "field '" + key + "'");
        if (timeColumn < 0 || keyColumn < 0) {
            String missing = timeColumn < 0 ? "'" + Fields.TIME + "'" : "'" + key + "' for the key";
            throw new LogException(
                    "the csv header has no column " + missing + ", only: " + Excerpt.of(String.join(", ", names)));
        }
    }

    /** The names in a header; a text that is no record has none. */
    static List<String> names(String header) {
        try {
            return CSV.ofSingleCsvRecord(header).getFields().stream()
                    .map(String::strip)
                    .toList();
        } catch (CsvParseException e) {
            return List.of();
        }
    }

    @Override
    public @Nullable String parse(byte[] line, int from, int to, Request request) {
        CsvRecord csv;
        try {
            csv = CSV.ofSingleCsvRecord(new String(line, from, to - from, StandardCharsets.UTF_8));
        } catch (CsvParseException e) {
            return "not a csv record";
        }
        fields.time = field(csv, timeColumn);
        fields.key = field(csv, keyColumn);
        fields.permits = field(csv, permitsColumn);
        return fields.fill(request);
    }

    private static @Nullable String field(CsvRecord csv, int column) {
        return column >= 0 && column < csv.getFieldCount() ? csv.getField(column) : null;
    }

    @Override
    public boolean isOpen(byte[] line, int from, int to, boolean open) {
        boolean quoted = open;
        boolean mayQuote = true; // at a field's start; and after a quote, since two of them are one in the text
        for (int at = from; at < to; at++) {
            if (line[at] == '"' && (quoted || mayQuote)) {
                quoted = !quoted;
                mayQuote = true;
            } else {
                mayQuote = line[at] == ',';
            }
        }
        return quoted;
    }
}
