package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The columns of a line that {@link Fields} are read from, found by the names that a header or a template gives them. */
final class Columns {
    /** The use of a key's column, for messages. */
    static final String KEY = " for the key";

    private final int[] time;
    private final int[] key;
    private final int permits; // -1 if there is none
    private final Fields fields;

    /**
     * Finds the columns.
     *
     * @param subject what has the names, for messages
     * @throws LogException if a column is missing, or two have the name of one that is read
     */
    Columns(String subject, List<String> names, Fields fields) throws LogException {
        this.time = indexes(subject, names, fields.time(), "");
        this.key = indexes(subject, names, fields.key(), KEY);
        this.permits = index(subject, names, Fields.PERMITS);
        this.fields = fields;
    }

    private static int[] indexes(String subject, List<String> names, List<String> wanted, String use)
            throws LogException {
        List<Integer> found = new ArrayList<>();
        for (String name : wanted) {
            int index = index(subject, names, name);
            if (index >= 0) {
                found.add(index);
            }
        }
        if (found.isEmpty()) {
            throw new LogException(missing(subject, names, wanted, use));
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Returns what to say if none of the wanted names is there. */
    static String missing(String subject, List<String> names, List<String> wanted, String use) {
        return subject + " has no column '" + Excerpt.of(wanted.get(0)) + "'" + use + ", only: "
                + Excerpt.of(String.join(", ", names));
    }

    private static int index(String subject, List<String> names, String name) throws LogException {
        int first = names.indexOf(name);
        if (first != names.lastIndexOf(name)) {
            throw new LogException(subject + " has two columns '" + Excerpt.of(name) + "'");
        }
        return first;
    }

    /** Fills {@code request} from the values of a line; returns null if it is complete, otherwise why not. */
    @Nullable
    Refusal fill(List<String> values, Request request) {
        String requested = permits >= 0 && permits < values.size() ? values.get(permits) : null;
        return fields.fill(request, first(values, time), first(values, key), requested);
    }

    /** As {@link #fill}, where the time is that of all its columns together. */
    @Nullable
    Refusal fillJoined(List<String> values, Request request) {
        StringJoiner joined = new StringJoiner(" ");
        for (int column : time) {
            joined.add(values.get(column));
        }
        return fields.fill(request, joined.toString().strip(), first(values, key), null);
    }

    private static @Nullable String first(List<String> values, int[] columns) {
        String value = null;
        for (int column : columns) {
            value = column < values.size() ? values.get(column) : null;
            if (value != null && !value.isEmpty() && !value.equals("-")) {
                return value;
            }
        }
        return value;
    }
}
