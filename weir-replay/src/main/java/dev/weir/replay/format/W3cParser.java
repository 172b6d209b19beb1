package dev.weir.replay.format;

import de.siegmar.fastcsv.reader.CsvReader;
import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parser for the W3C extended log format. Lines with {@code #} are directives; the latest {@code #Fields} names the columns,
 * so files can be concatenated. If it does not name that of the key, its lines have no key; another {@code #Fields} may name it.
 * Times are UTC, as the format demands. What is behind the first value, a tab or a space, separates all values of a line. Quotes
 * are read as such if the line has as many values then as {@code #Fields} has names.
 */
final class W3cParser implements LineParser {
    static final String FIELDS = "#Fields:";

    private static final Refusal NO_FIELDS =
            Refusal.unreadable("no #Fields line before it", "a file that begins with its #Fields line can be read");

    private final String product;
    private final CsvReader.CsvReaderBuilder quoted = CsvReader.builder().allowUnclosedQuote(false);
    private final Fields fields;
    private @Nullable Columns columns;
    private Refusal noColumns = NO_FIELDS; // why there are none
    private int width;

    W3cParser(Preset preset, Fields fields) {
        this.product = preset.product();
        this.fields = fields;
    }

    /** Returns the names in a {@code #Fields} line; none if the text is another line. */
    static List<String> names(String line) {
        return line.startsWith(FIELDS)
                ? List.of(line.substring(FIELDS.length()).strip().split("\\s+"))
                : List.of();
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) throws LogException {
        String text = new String(line, from, to - from, StandardCharsets.UTF_8);
        if (text.startsWith("#")) {
            direct(text);
            return Refusal.IGNORED;
        }
        if (columns == null) {
            return noColumns;
        }
        String separator = separator(text);
        List<String> values =
                text.indexOf('"') < 0 ? List.of() : CsvParser.values(quoted.fieldSeparator(separator), text);
        if (values.size() != width) {
            values = List.of(text.split(separator, -1));
        }
        if (values.size() != width) {
            return Refusal.unreadable(values.size() + " fields where #Fields names " + width);
        }
        return columns.fill(values, request);
    }

    /** Returns the first tab or space behind the first value: a client may write the other one into a later value. */
    private static String separator(String text) {
        int from = text.startsWith("\"") ? text.indexOf('"', 1) : 0;
        int tab = text.indexOf('\t', from);
        int space = text.indexOf(' ', from);
        return tab >= 0 && (space < 0 || tab < space) ? "\t" : " ";
    }

    private void direct(String text) throws LogException {
        List<String> names = names(text);
        if (names.isEmpty()) {
            return;
        }
        String subject = "the #Fields line of " + product;
        boolean hasKey = fields.key().stream().anyMatch(names::contains);
        columns = hasKey ? new Columns(subject, names, fields) : null;
        noColumns = fields.noKey().withHint(Columns.missing(subject, names, fields.key(), Columns.KEY));
        width = names.size();
    }
}
