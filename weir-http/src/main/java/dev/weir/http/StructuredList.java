package dev.weir.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser of lists of structured fields (RFC 9651) whose members are items with parameters, as in {@code "api";r=5;t=10}. Of each
 * member its parameters are returned, with their values as text. Inner lists are not read.
 */
final class StructuredList {
    private static final String BARE = "[A-Za-z0-9*][A-Za-z0-9!#$%&'*+.^_`|~:/@-]*";

    private final String text;
    private int at;

    private StructuredList(String text) {
        this.text = text;
    }

    /**
     * Returns the parameters of each member of a list, by name.
     *
     * @throws IllegalArgumentException if the text is not such a list
     */
    static List<Map<String, String>> parse(String text) {
        return new StructuredList(text).list();
    }

    private List<Map<String, String>> list() {
        List<Map<String, String>> items = new ArrayList<>();
        do {
            skipSpace();
            items.add(item());
            skipSpace();
        } while (accept(','));
        check(at == text.length());
        return items;
    }

    private Map<String, String> item() {
        String unused = value();
        Map<String, String> parameters = new HashMap<>();
        while (accept(';')) {
            skipSpace();
            int start = at;
            while (at < text.length() && isKey(text.charAt(at))) {
                at++;
            }
            check(at > start);
            parameters.put(text.substring(start, at), accept('=') ? value() : "?1");
        }
        return parameters;
    }

    private String value() {
        int start = at;
        if (accept('"')) {
            return quoted('"');
        }
        if (accept(':')) {
            return quoted(':');
        }
        while (at < text.length() && ",; \t\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String bare = text.substring(start, at);
        check(bare.matches("[?@-]?" + BARE));
        return bare;
    }

    /** Reads up to the closing delimiter; a backslash escapes the next character of a string. */
    private String quoted(char delimiter) {
        StringBuilder value = new StringBuilder();
        while (at < text.length() && text.charAt(at) != delimiter) {
            if (delimiter == '"' && accept('\\')) {
                check(at < text.length());
            }
            value.append(text.charAt(at++));
        }
        check(accept(delimiter));
        return value.toString();
    }

    private static boolean isKey(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "_-.*".indexOf(c) >= 0;
    }

    private boolean accept(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void skipSpace() {
        while (accept(' ') || accept('\t')) {
            // next
        }
    }

    private void check(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException("not a list of items, at character " + at);
        }
    }
}
