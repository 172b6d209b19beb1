package dev.weir.server.net;

/** What the clients of a port may use together, in proportion to the heap, so that hostile ones cannot fill it. */
public final class MemoryBounds {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int CONNECTION_BYTES =
            64 << 10; // of one whose client sends requests and does not read answers
    private static final int LOOP_BYTES = 16 << 20; // its share is enough for the largest requests
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

    /** Returns the number of event loops of a port: fewer than processors if the heap is small, since each gets a share of it. */
    public static int eventLoops() {
        Runtime runtime = Runtime.getRuntime();
        return eventLoops(runtime.availableProcessors(), runtime.maxMemory());
    }

    static int eventLoops(int processors, long heapBytes) {
        return (int) Math.max(1, Math.min(processors, heapBytes / LOOP_BYTES));
    }

    /** Returns the number of bytes that the requests of an event loop may take which are not complete. */
    public static long openRequestBytes() {
        return Runtime.getRuntime().maxMemory() / OPEN_REQUEST_SHARE / eventLoops();
    }

    /** Returns the number of bytes that the calls of an event loop may take which are open. */
    public static long openCallBytes() {
        return Runtime.getRuntime().maxMemory() / OPEN_CALL_SHARE / eventLoops();
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
