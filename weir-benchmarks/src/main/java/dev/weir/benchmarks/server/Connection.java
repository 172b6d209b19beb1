package dev.weir.benchmarks.server;

import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A connection to a server of gRPC, written by hand so that the load takes less of the machine than the server: calls are bytes
 * that are copied, and of an answer only its code is read. Used by one thread.
 */
final class Connection implements AutoCloseable {
    /** The most calls in flight; the server accepts 1,000. */
    static final int MAX_IN_FLIGHT = 900;

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int WINDOW =
            Integer.MAX_VALUE - 65_535; // together with the initial window, the most there may be
    private static final int REFILL_BYTES = 1 << 20;
    private static final int GRPC_HEADER_BYTES = 5;
    private static final int CODE_FIELD = 0x08; // the first field of an answer, its overall code
    private static final int RING = 1 << 18; // more calls than are sent before one is answered
    private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

    private final Answers answers;
    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] headers = Frames.nextHeaders();
    private final int[] call = new int[RING];
    private final byte[] code = new byte[RING];
    private int stream = -1;
    private int inFlight;
    private int consumed; // bytes of data since the window was refilled

    /** What is notified of answers. */
    interface Answers {
        /**
         * Takes an answer.
         *
         * @param call the number with which the call was sent
         * @param code the overall code of the answer, 1 or 2; 0 if the call failed
         */
        void answered(int call, int code);
    }

    /** Opens a connection to a port of this machine. A blocking one waits for answers, another one looks for them. */
    Connection(int port, boolean blocking, Answers answers) throws IOException {
        this.answers = answers;
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(blocking);
        out.put(Frames.PREFACE);
        frame(Frames.SETTINGS, 0, 0, 0);
        frame(Frames.WINDOW_UPDATE, 0, 0, Integer.BYTES).putInt(WINDOW);
        flush();
    }

    private ByteBuffer frame(int type, int flags, int id, int length) {
        return out.put((byte) (length >> 16))
                .putShort((short) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(id);
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Prepares a call; {@link #flush} sends it.
     *
     * @param number what the answer is reported with
     */
    void send(int number, byte[] message) throws IOException {
        if (out.position() > BUFFER_BYTES / 2) {
            flush();
        }
        if (stream >= LAST_STREAM) {
            throw new FailedMeasureException("a connection has no number for another call", null);
        }
        boolean first = stream < 0;
        stream += 2;
        int slot = (stream >> 1) & (RING - 1);
        call[slot] = number;
        code[slot] = 0;
        inFlight++;
        byte[] block = first ? Frames.firstHeaders() : headers;
        frame(Frames.HEADERS, Frames.END_HEADERS, stream, block.length).put(block);
        frame(Frames.DATA, Frames.END_STREAM, stream, GRPC_HEADER_BYTES + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message);
    }

    /** Sends all that is prepared. */
    void flush() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
    }

    /** Reads what has arrived, and reports the answers in it; a blocking connection waits until something has. */
    void receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the server closed the connection");
        }
        in.flip();
        while (in.remaining() >= Frames.HEADER_BYTES) {
            int start = in.position();
            int length = in.getInt(start) >>> 8;
            if (in.remaining() < Frames.HEADER_BYTES + length) {
                break;
            }
            received(in.get(start + 3), in.get(start + 4), in.getInt(start + 5), start + Frames.HEADER_BYTES, length);
            in.position(start + Frames.HEADER_BYTES + length);
        }
        in.compact();
    }

    private void received(int type, int flags, int id, int payload, int length) throws IOException {
        switch (type) {
            case Frames.DATA -> data(id, payload, length);
            case Frames.HEADERS -> {
                if ((flags & Frames.END_STREAM) != 0) {
                    ended(id);
                }
            }
            case Frames.RST_STREAM -> ended(id);
            case Frames.SETTINGS -> {
                if ((flags & Frames.ACK) == 0) {
                    frame(Frames.SETTINGS, Frames.ACK, 0, 0);
                    flush();
                }
            }
            case Frames.PING -> {
                if ((flags & Frames.ACK) == 0) {
                    frame(Frames.PING, Frames.ACK, 0, length).putLong(in.getLong(payload));
                    flush();
                }
            }
            case Frames.GOAWAY -> throw new IOException("the server ends the connection");
            default -> {} // windows of the server, which are larger than all calls in flight
        }
    }

    private void data(int id, int payload, int length) throws IOException {
        if (length > GRPC_HEADER_BYTES + 1 && in.get(payload + GRPC_HEADER_BYTES) == CODE_FIELD) {
            code[(id >> 1) & (RING - 1)] = in.get(payload + GRPC_HEADER_BYTES + 1);
        }
        consumed += length;
        if (consumed >= REFILL_BYTES) {
            frame(Frames.WINDOW_UPDATE, 0, 0, Integer.BYTES).putInt(consumed);
            consumed = 0;
            flush();
        }
    }

    private void ended(int id) {
        int slot = (id >> 1) & (RING - 1);
        inFlight--;
        answers.answered(call[slot], code[slot]);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
