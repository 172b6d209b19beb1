package dev.weir.replay.format;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parser for records of comma-separated values, whose columns the file's first line names. */
final class CsvParser implements LineParser {
    private static final CsvReader.CsvReaderBuilder CSV = CsvReader.builder().allowUnclosedQuote(false);

    private final Columns columns;

    /** Creates a parser for files with this header. */
    CsvParser(String header, Fields fields) throws LogException {
        List<String> names = names(header);
        if (names.size() == 1 && (header.indexOf(';') >= 0 || header.indexOf('\t') >= 0)) {
            throw new LogException(
                    "only commas separate the columns of csv, and the header has none: " + Excerpt.of(header));
        }
        columns = new Columns("the csv header", names, fields);
    }

    /** Returns whether a header names a column, also if semicolons or tabs separate it, which the constructor refuses. */
    static boolean isHeader(String header, String column) {
        return names(header).contains(column)
                || List.of(header.strip().split("[;\\t]")).contains(column);
    }

    /** Returns the names in a header; a text that is no record has none. */
    static List<String> names(String header) {
        return values(CSV, header).stream().map(String::strip).toList();
    }

    /** Returns the values of a record; none if the text is no record. */
    static List<String> values(CsvReader.CsvReaderBuilder csv, String text) {
        try {
            return csv.ofSingleCsvRecord(text).getFields();
        } catch (CsvParseException e) {
            return List.of();
        }
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) {
        List<String> values = values(CSV, new String(line, from, to - from, StandardCharsets.UTF_8));
        return values.isEmpty() ? Refusal.NOT_A_RECORD : columns.fill(values, request);
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
