package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parser for lines with the layout of a preset: a sequence of named fields, {@code name} up to a space, {@code "name"} in quotes,
 * {@code [name]} in brackets.
 *
 * <p>A hyphen can be in the place of any field. A field whose name has a slash or a colon has one, too. Fields behind a
 * {@code |} may be missing at the end of a line. A line may have more fields than the layout unless that ends with a {@code .}.
 * Groups in braces, as HAProxy writes captured headers, and further spaces, with which Squid aligns numbers, are skipped. In
 * quotes, a backslash escapes the next character.
 */
final class TemplateParser implements LineParser {
    private final List<String> names = new ArrayList<>();
    private final StringBuilder delimiters = new StringBuilder(); // of each field: a space, a quote or a bracket
    private final Refusal misfit;
    private final Columns columns;
    private int required = -1;
    private boolean exact;

    /** Creates a parser; throws if the fields are not those of the preset. */
    TemplateParser(Preset preset, Fields fields) throws LogException {
        for (String field : preset.layout().split(" ", -1)) {
            switch (field) {
                case "|" -> required = names.size();
                case "." -> exact = true;
                default -> add(field);
            }
        }
        required = required < 0 ? names.size() : required;
        misfit = Refusal.unreadable("not a line of " + preset.product());
        columns = new Columns("the log of " + preset.product(), names, fields);
    }

    private void add(String field) {
        char first = field.charAt(0);
        boolean delimited = first == '"' || first == '[';
        delimiters.append(delimited ? first : ' ');
        names.add(delimited ? field.substring(1, field.length() - 1) : field);
    }

    @Override
    public @Nullable Refusal parse(byte[] line, int from, int to, Request request) {
        List<String> values = split(new String(line, from, to - from, StandardCharsets.UTF_8));
        return values == null ? misfit : columns.fill(values, request);
    }

    /** Returns the fields of a line in the order of their names; null if the line does not fit. */
    private @Nullable List<String> split(String line) {
        List<String> fields = new ArrayList<>(names.size());
        int at = 0;
        while (at < line.length() && fields.size() < names.size()) {
            char first = line.charAt(at);
            int end = end(line, at, first);
            if (first != '{' && first != ' ') {
                char delimiter = first == '"' || first == '[' ? first : ' ';
                String value = delimiter == ' ' ? line.substring(at, end) : content(line, at, end);
                if (!fits(value, delimiter, fields.size())) {
                    return null;
                }
                fields.add(value);
            }
            if (end < line.length() && line.charAt(end) != ' ') {
                return null;
            }
            at = end + 1;
        }
        boolean tooMany = exact && at < line.length();
        return fields.size() < required || tooMany ? null : fields;
    }

    private boolean fits(String value, char delimiter, int field) {
        String name = names.get(field);
        boolean none = value.equals("-");
        boolean noSlash = name.indexOf('/') >= 0 && value.indexOf('/') < 0;
        boolean noColon = name.indexOf(':') >= 0 && value.indexOf(':') < 0 && !none;
        return (delimiter == delimiters.charAt(field) || (none && delimiter == ' ')) && !noSlash && !noColon;
    }

    /** Returns what is between the delimiters at {@code from} and before {@code end}, of which the second can be missing. */
    private static String content(String line, int from, int end) {
        char closing = line.charAt(from) == '[' ? ']' : '"';
        boolean closed = end - 1 > from && line.charAt(end - 1) == closing;
        return line.substring(from + 1, closed ? end - 1 : end);
    }

    /** Returns where the field that begins at {@code from} ends, its closing delimiter included. */
    private static int end(String line, int from, char first) {
        return switch (first) {
            case '"' -> closed(line, quoteEnd(line, from + 1));
            case '[' -> closed(line, line.indexOf(']', from));
            case '{' -> closed(line, line.indexOf('}', from));
            default -> {
                int space = line.indexOf(' ', from);
                yield space < 0 ? line.length() : space;
            }
        };
    }

    /** Returns the end of a field; one that a server cut off, as HAProxy does with long requests, ends with the line. */
    private static int closed(String line, int closing) {
        return closing < 0 ? line.length() : closing + 1;
    }

    private static int quoteEnd(String line, int from) {
        for (int at = from; at < line.length(); at++) {
            if (line.charAt(at) == '\\') {
                at++;
            } else if (line.charAt(at) == '"') {
                return at;
            }
        }
        return -1;
    }
}
