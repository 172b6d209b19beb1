package dev.weir.replay.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A resource of this package with places such as <code>{{name}}</code>, each of which takes markup, or text that is escaped. */
final class Template {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private final String name;
    private final Map<String, Markup> values = new HashMap<>();

    private Template(String name) {
        this.name = name;
    }

    static Template named(String name) {
        return new Template(name);
    }

    /** Returns a resource as it is. */
    static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Template set(String place, Markup value) {
        values.put(place, value);
        return this;
    }

    Template set(String place, String text) {
        return set(place, Markup.text(text));
    }

    /**
     * Returns the text with every place filled.
     *
     * @throws IllegalStateException if a place has no value
     */
    Markup fill() {
        return new Markup(PLACE.matcher(resource(name)).replaceAll(place -> Matcher.quoteReplacement(value(place))));
    }

    private String value(MatchResult place) {
        Markup value = values.get(place.group(1));
        if (value == null) {
            throw new IllegalStateException(name + " has no value for " + place.group(1));
        }
        return value.source();
    }
}
