package dev.weir.server.net;

/** What the clients of a port may use together, in proportion to the heap, so that hostile ones cannot fill it. */
public final class MemoryBounds {
    private static final int MOST_CONNECTIONS = 10_000;
    private static final int CONNECTION_BYTES =
            64 << 10; // of one whose client sends requests and does not read answers
    private static final int OPEN_REQUEST_SHARE = 8;
    private static final int OPEN_CALL_SHARE = 4;
    private static final int CALL_BYTES = 4 << 10; // of one that waits for a store or to be sent

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

    /** Returns the largest number of calls of an event loop that are open. */
    public static int openCalls() {
        Runtime runtime = Runtime.getRuntime();
        long all = runtime.maxMemory() / OPEN_CALL_SHARE / CALL_BYTES;
        return (int) Math.min(Integer.MAX_VALUE, all / runtime.availableProcessors());
    }
}
