package dev.weir.server.net;

/** What the clients of a port may use together, in proportion to the heap, so that hostile ones cannot fill it. */
public final class MemoryBounds {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int CONNECTION_BYTES =
            64 << 10; // of one whose client sends requests and does not read answers
    private static final int OPEN_REQUEST_SHARE = 8;
    private static final int OPEN_CALL_SHARE = 4;
    private static final int REQUEST_BYTES = 4 << 10; // timer and the state that libraries keep, without headers
    private static final int HEADER_BYTES = 128; // of the objects of one

    private MemoryBounds() {}

    /** Returns the largest number of connections. */
    static int connections() {
        return connections(Runtime.getRuntime().maxMemory());
    }

    static int connections(long heapBytes) {
        return (int) Math.min(MOST_CONNECTIONS, heapBytes / CONNECTION_BYTES);
    }

    /** Returns the number of bytes that the requests of an event loop may take which are not complete. */
    public static long openRequestBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() / OPEN_REQUEST_SHARE / runtime.availableProcessors();
    }

    /** Returns the number of bytes that the calls of an event loop may take which are open. */
    public static long openCallBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.maxMemory() / OPEN_CALL_SHARE / runtime.availableProcessors();
    }

    /**
     * Returns the memory that a request takes until it has been answered, without its body.
     *
     * @param headers the number of its headers
     * @param textBytes the length of their names and values
     */
    public static long requestBytes(int headers, long textBytes) {
        return REQUEST_BYTES + (long) HEADER_BYTES * headers + textBytes;
    }
}
