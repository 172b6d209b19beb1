package dev.weir.testing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The protocol of Redis, RESP 2 and 3. Each character of a text is one byte. */
public final class Resp {
    private final InputStream in;
    private final StringBuilder text = new StringBuilder();

    private Resp(InputStream in) {
        this.in = in;
    }

    /** An error reply and its message. */
    public record ErrorReply(String message) {}

    /** A request or reply as received, and its value: a text, a number, a list, null or a {@link ErrorReply}. */
    public record Frame(String text, @Nullable Object value) {
        /** Returns whether this is a push message, which answers no request. */
        public boolean pushed() {
            return text.startsWith(">");
        }

        public byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    public static byte[] request(String... words) {
        StringBuilder text = new StringBuilder("*").append(words.length).append("\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Reads one whole request or reply. */
    public static Frame frame(InputStream in) throws IOException {
        Resp read = new Resp(in);
        @Nullable Object value = read.value();
        return new Frame(read.text.toString(), value);
    }

    private @Nullable Object value() throws IOException {
        char type = next();
        String line = line();
        return switch (type) {
            case '+', ',', '#', '(' -> line;
            case '-' -> new ErrorReply(line);
            case ':' -> Long.valueOf(line);
            case '_' -> null;
            case '$', '=', '!' -> text(Integer.parseInt(line));
            case '*', '~', '>' -> list(Integer.parseInt(line));
            case '%' -> list(2 * Integer.parseInt(line));
            default -> throw new IOException("neither a request nor a reply: " + type + line);
        };
    }

    private char next() throws IOException {
        int one = in.read();
        if (one < 0) {
            throw new EOFException();
        }
        text.append((char) one);
        return (char) one;
    }

    private String line() throws IOException {
        int from = text.length();
        while (next() != '\r') {}
        next();
        return text.substring(from, text.length() - 2);
    }

    private @Nullable String text(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException();
        }
        text.append(new String(bytes, StandardCharsets.ISO_8859_1));
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(value());
        }
        return length < 0 ? null : list;
    }
}
