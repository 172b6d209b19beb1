package dev.weir.internal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Strings as bytes: UTF-8, in which an unpaired surrogate is encoded like any other code point (WTF-8), so that different
 * strings have different bytes.
 */
public final class KeyBytes {
    /** The most bytes of a key. */
    public static final int MAX = 1_024;

    private KeyBytes() {}

    public static byte[] of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8); // contains '?' for an unpaired surrogate
        return new String(bytes, StandardCharsets.UTF_8).equals(text) ? bytes : encode(text);
    }

    /** Returns whether a text may be a key: it has 1 to {@link #MAX} bytes. */
    public static boolean isKey(String text) {
        int length = text.length(); // a char has 1 to 3 bytes
        return length > 0 && (length <= MAX / 3 || (length <= MAX && of(text).length <= MAX));
    }

    private static byte[] encode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.codePoints().forEach(point -> {
            if (Character.getType(point) == Character.SURROGATE) {
                bytes.write(0xE0 | (point >> 12));
                bytes.write(0x80 | ((point >> 6) & 0x3F));
                bytes.write(0x80 | (point & 0x3F));
            } else {
                bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }
}
