package dev.weir.internal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings as bytes: UTF-8, in which an unpaired surrogate is encoded like any other code point (WTF-8), so that different
 * strings have different bytes.
 */
public final class KeyBytes {
    private KeyBytes() {}

    public static byte[] of(String text) {
        return hasUnpairedSurrogate(text) ? encode(text) : text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean hasUnpairedSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (Character.isBmpCodePoint(text.codePointAt(i))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static byte[] encode(String text) {
        byte[] bytes = new byte[3 * text.length()];
        int size = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (Character.isBmpCodePoint(point) && Character.isSurrogate((char) point)) {
                bytes[size++] = (byte) (0xE0 | (point >> 12));
                bytes[size++] = (byte) (0x80 | ((point >> 6) & 0x3F));
                bytes[size++] = (byte) (0x80 | (point & 0x3F));
            } else {
                byte[] encoded = Character.toString(point).getBytes(StandardCharsets.UTF_8);
                System.arraycopy(encoded, 0, bytes, size, encoded.length);
                size += encoded.length;
            }
        }
        return Arrays.copyOf(bytes, size);
    }
}
