package dev.weir.replay.report;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The style of a page or an image. Its colours are those of the light and the dark theme. */
final class StyleSheet {
    private static final String COLOURS = "tokens.css";
    private static final Pattern DEFINITION = Pattern.compile("--([a-z0-9-]+):([^;}]+)");
    private static final Pattern USE = Pattern.compile("var\\(--([a-z0-9-]+)\\)");

    private StyleSheet() {}

    /** Returns the style that follows the reader's theme. */
    static Markup themed(String... resources) {
        return new Markup(Template.resource(COLOURS) + joined(resources));
    }

    /** Returns the style in the colours of the light theme, without variables and conditions. */
    static Markup light(String... resources) {
        Map<String, String> colours = new HashMap<>();
        Matcher definition = DEFINITION.matcher(Template.resource(COLOURS));
        while (definition.find()) {
            colours.putIfAbsent(definition.group(1), definition.group(2)); // the light theme is the first one
        }
        return new Markup(USE.matcher(joined(resources)).replaceAll(use -> colours.get(use.group(1))));
    }

    private static String joined(String... resources) {
        StringBuilder joined = new StringBuilder();
        for (String resource : resources) {
            joined.append(Template.resource(resource));
        }
        return joined.toString();
    }
}
