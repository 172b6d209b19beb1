package dev.weir.server.config;

import com.google.common.hash.Hashing;
import dev.weir.internal.KeyBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of the key under which a descriptor is counted: its domain and entries, as {@code edge,path=/,user=ann}. A backslash
 * precedes commas, equals signs and backslashes in the parts, so that different descriptors have different texts.
 */
public final class KeyText {
    private static final int MAX_CHARS = 300; // at most 900 bytes, less than a key may have
    private static final String SHORTENED = "sha256:";
    private static final char SEPARATOR = ',';
    private static final char EQUALS = '=';
    private static final char ESCAPE = '\\';

    private final StringBuilder text = new StringBuilder();

    /** Starts the text with the domain. */
    public KeyText(String domain) {
        append(domain);
    }

    /** Starts the text with a word and the domain; no text that starts with a domain is equal, since all else in it are entries. */
    public KeyText(String word, String domain) {
        append(word);
        text.append(SEPARATOR);
        append(domain);
    }

    /** Adds an entry. */
    public void add(String key, String value) {
        text.append(SEPARATOR);
        append(key);
        text.append(EQUALS);
        append(value);
    }

    private void append(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c == SEPARATOR || c == EQUALS || c == ESCAPE) {
                text.append(ESCAPE);
            }
            text.append(c);
        }
    }

    /** Returns the key of a store. A long text is replaced by its SHA-256, so that no value is too long to be limited. */
    public String key() {
        return text.length() <= MAX_CHARS ? text.toString() : SHORTENED + sha256(text.toString());
    }

    /** Returns the position of the comma after the domain of a key; -1 if there is none, as in a SHA-256. */
    public static int endOfDomain(String key) {
        int end = 0;
        while (end < key.length() && key.charAt(end) != SEPARATOR) {
            end += key.charAt(end) == ESCAPE ? 2 : 1;
        }
        return end < key.length() ? end : -1;
    }

    /** Returns a part of a key without its backslashes. */
    public static String unescaped(String part) {
        return part.replaceAll("\\\\(.)", "$1");
    }

    /** Returns one key that is made of a limiter and its key. */
    public static String joined(String limiter, String key) {
        KeyText joined = new KeyText(limiter);
        joined.text.append(SEPARATOR).append(key);
        return joined.key();
    }

    /** Returns the SHA-256 of the {@link KeyBytes} of a text, in hexadecimal digits. */
    public static String sha256(String text) {
        return Hashing.sha256().hashBytes(KeyBytes.of(text)).toString();
    }

    /**
     * Reads the entries of a text without a domain, such as {@code path=/,user=ann}.
     *
     * @return keys and values in turn
     * @throws IllegalArgumentException if an entry has no key or no equals sign
     */
    public static List<String> parse(String entries) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (int i = 0; i < entries.length(); i++) {
            char c = entries.charAt(i);
            boolean isKey = parts.size() % 2 == 0;
            if (c == ESCAPE && i + 1 < entries.length()) {
                part.append(entries.charAt(++i));
            } else if (isKey && (c == SEPARATOR || (c == EQUALS && part.isEmpty()))) {
                throw notEntries();
            } else if (c == (isKey ? EQUALS : SEPARATOR)) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        if (parts.size() % 2 != 0) {
            throw notEntries();
        }
        return parts;
    }

    private static IllegalArgumentException notEntries() {
        return new IllegalArgumentException("a descriptor must be key=value,key=value");
    }
}
