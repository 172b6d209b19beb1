package dev.weir.replay.report;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A part of an HTML or SVG document. Text becomes markup only by the methods that escape it.
 *
 * @param source the part as it is in the document
 */
record Markup(String source) {
    static final Markup EMPTY = new Markup("");

    private static final int LONGEST_KEY = 48; // characters

    /** Returns text in which nothing is markup, and characters without a picture of their own are spelled out. */
    static Markup text(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> out.append(isVisible(c) ? escaped(c) : codePoint(c)));
        return new Markup(out.toString());
    }

    /** Returns text from the log, isolated from the direction of writing around it; its end is cut if it is long. */
    static Markup key(String key) {
        int length = key.codePointCount(0, key.length());
        boolean cut = length > LONGEST_KEY;
        String shown = cut ? key.substring(0, key.offsetByCodePoints(0, LONGEST_KEY - 1)) : key;
        StringBuilder out = new StringBuilder("<bdi class=\"k\"");
        out.append(cut ? " title=\"" + text(key).source + "\"" : "").append('>');
        int[] characters = shown.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            int c = characters[i];
            boolean visible = isVisible(c) && !isHiddenSpace(characters, i);
            out.append(visible ? escaped(c) : "<span class=\"ctl\">" + codePoint(c) + "</span>");
        }
        return new Markup(out.append(cut ? "…" : "").append("</bdi>").toString());
    }

    /** Returns the parts one after the other. */
    static Markup join(Stream<Markup> parts) {
        return new Markup(parts.map(Markup::source).collect(Collectors.joining()));
    }

    /** Returns this with another part after it. */
    Markup then(Markup next) {
        return new Markup(source + next.source);
    }

    /** Returns this with text after it. */
    Markup then(String text) {
        return then(text(text));
    }

    /** Returns this as the content of an element. */
    Markup in(String element, String cssClass) {
        return new Markup("<" + element + (cssClass.isEmpty() ? "" : " class=\"" + cssClass + "\"") + ">" + source
                + "</" + element + ">");
    }

    private static String codePoint(int c) {
        return String.format(Locale.ROOT, "U+%04X", c);
    }

    private static String escaped(int c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> Character.toString(c);
        };
    }

    /** Returns whether a space is not seen, at an end or after another one, or looks like another one. */
    private static boolean isHiddenSpace(int[] text, int i) {
        return text[i] == ' '
                ? i == 0 || i == text.length - 1 || text[i - 1] == ' '
                : Character.getType(text[i]) == Character.SPACE_SEPARATOR;
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
