package dev.weir.replay.format;

import dev.weir.replay.trace.LogException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a line that {@link Fields} are read from, found by the names that a header or a template gives them. */
final class Columns {
    /** The use of a key's column, for messages. */
    static final String KEY = " for the key";

    private final Map<String, Integer> indexes = new HashMap<>(); // of the columns that are read
    private final Fields fields;

    /**
     * Finds the columns.
     *
     * @param subject what has the names, for messages
     * @throws LogException if a column is missing, or two have the name of one that is read
     */
    Columns(String subject, List<String> names, Fields fields) throws LogException {
        if (!find(subject, names, fields.time())) {
            throw new LogException(
                    missing(subject, names, fields.time(), "") + "; --time-field names the one with the time");
        }
        if (!find(subject, names, fields.key())) {
            throw new LogException(missing(subject, names, fields.key(), KEY) + "; --key names another one");
        }
        find(subject, names, List.of(Fields.PERMITS));
        this.fields = fields;
    }

    /** Returns what to say if none of the wanted names is there. */
    static String missing(String subject, List<String> names, List<String> wanted, String use) {
        return subject + " has no column '" + Excerpt.of(wanted.get(0)) + "'" + use + ", only: "
                + Excerpt.of(String.join(", ", names));
    }

    /** Returns whether one of the wanted names is there. */
    private boolean find(String subject, List<String> names, List<String> wanted) throws LogException {
        for (String name : wanted) {
            int first = names.indexOf(name);
            if (first != names.lastIndexOf(name)) {
                throw new LogException(subject + " has two columns '" + Excerpt.of(name) + "'");
            }
            if (first >= 0) {
                indexes.put(name, first);
            }
        }
        return wanted.stream().anyMatch(indexes::containsKey);
    }

    /** Fills {@code request} from the values of a line; returns null if it is complete, otherwise why not. */
    @Nullable
    Refusal fill(List<String> values, Request request) {
        return fields.fill(request, name -> {
            int index = indexes.getOrDefault(name, values.size());
            return index < values.size() ? values.get(index) : null;
        });
    }
}
