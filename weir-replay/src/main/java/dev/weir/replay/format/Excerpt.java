package dev.weir.replay.format;

import java.nio.charset.StandardCharsets;

/** The beginning of a line as it can be shown to a person: no control characters, which could steer a terminal. */
final class Excerpt {
    private static final int MAX = 80;

    private Excerpt() {}

    static String of(byte[] bytes, int from, int to) {
        int cut = Math.min(to, from + MAX * 4); // a character has at most 4 bytes
        return of(new String(bytes, from, cut - from, StandardCharsets.UTF_8));
    }

    static String of(String text) {
        StringBuilder safe = new StringBuilder();
        int at = 0;
        for (int shown = 0; at < text.length() && shown < MAX; shown++) {
            int character = text.codePointAt(at);
            if (character == '\t') {
                safe.append("\\t");
            } else {
                safe.appendCodePoint(isHarmless(character) ? character : '\uFFFD');
            }
            at += Character.charCount(character);
        }
        return at < text.length() ? safe + "..." : safe.toString();
    }

    private static boolean isHarmless(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
