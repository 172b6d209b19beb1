package dev.weir.benchmarks.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The bytes of HTTP/2 that a client of gRPC sends. */
final class Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    static final int HEADER_BYTES = 9;
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int POST = 0x83;
    private static final int HTTP = 0x86;
    private static final int LITERAL_INDEXED = 0x40;
    private static final int INDEXED = 0x80;
    private static final int FIRST_DYNAMIC = 62;

    // Of HPACK's static table.
    private static final int AUTHORITY = 1;
    private static final int PATH = 4;
    private static final int CONTENT_TYPE = 31;
    private static final int NEW_NAME = 0;

    private Frames() {}

    /** Returns the block of headers of the first call of a connection, which puts each of them into the server's table. */
    static byte[] firstHeaders() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(POST);
        block.write(HTTP);
        literal(block, PATH, "", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
        literal(block, AUTHORITY, "", "weir");
        literal(block, CONTENT_TYPE, "", "application/grpc");
        literal(block, NEW_NAME, "te", "trailers");
        literal(block, NEW_NAME, "grpc-timeout", "10S");
        return block.toByteArray();
    }

    /** Returns the block of headers of each later call: the same, by their numbers in the table. */
    static byte[] nextHeaders() {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(POST);
        block.write(HTTP);
        for (int field = 4; field >= 0; field--) { // the latest has the least number
            block.write(INDEXED | (FIRST_DYNAMIC + field));
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, int name, String newName, String value) {
        block.write(LITERAL_INDEXED | name);
        if (name == NEW_NAME) {
            text(block, newName);
        }
        text(block, value);
    }

    /** Texts are shorter than 127 bytes. */
    private static void text(ByteArrayOutputStream block, String text) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
}
