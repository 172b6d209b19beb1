package dev.weir.server.grpc;

import dev.weir.server.net.OpenRequests;
import io.grpc.MethodDescriptor.MethodType;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * An event loop that bounds the memory of calls that nothing keeps back. It reads all connections that are ready before it runs tasks,
 * and gRPC sends answers in tasks, so after some answers it runs the tasks between two connections. The calls that wait for a store are
 * bounded by their memory; those that are incomplete or have an answer that is not taken, by a part of it, see {@link OpenRequests}.
 * Streams, which may last, are counted apart, so that they leave calls with one answer their room. Used by its thread, but for what
 * says otherwise.
 */
final class CallLoop extends SingleThreadIoEventLoop {
    private static final int MOST_UNSENT = 256; // and those of one read

    private final long maxBytes;
    private final OpenRequests requests;
    private final Set<Runnable> streams = new HashSet<>(); // what ends each
    private long callBytes;
    private long streamBytes;
    private int unsent;

    /**
     * Creates an event loop.
     *
     * @param maxBytes the memory that the open calls may take, and the open streams
     * @param openRequestBytes the memory that the calls may take which are not complete
     */
    CallLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory io, long maxBytes, long openRequestBytes) {
        super(group, executor, io);
        this.maxBytes = maxBytes;
        this.requests = new OpenRequests(openRequestBytes);
    }

    /** Returns those of its calls that take memory. */
    OpenRequests requests() {
        return requests;
    }

    /**
     * Counts a call, and returns whether there is room for it.
     *
     * @param bytes the memory that it takes
     * @param end ends the call
     */
    boolean begin(MethodType type, long bytes, Runnable end) {
        if (type == MethodType.UNARY) {
            callBytes += bytes;
            return callBytes <= maxBytes;
        }
        streams.add(end);
        streamBytes += bytes;
        return streamBytes <= maxBytes;
    }

    /** A call has ended, whether or not there was room for it. */
    void end(MethodType type, long bytes, Runnable end) {
        if (type == MethodType.UNARY) {
            callBytes -= bytes;
        } else {
            streams.remove(end);
            streamBytes -= bytes;
        }
    }

    /** Ends all streams, because the server stops. May be called by any thread. */
    void endStreams() {
        execute(() -> List.copyOf(streams).forEach(Runnable::run));
    }

    /** There is an answer to be sent. May be called by any thread, of which only this loop's can have many before they are sent. */
    void answered() {
        if (inEventLoop()) {
            unsent++;
        }
    }

    /** Sends the answers if they are many. Called when a connection has been read. */
    void readComplete() {
        if (unsent >= MOST_UNSENT) {
            runAllTasks();
        }
    }

    @Override
    protected void afterRunningAllTasks() {
        unsent = 0;
        super.afterRunningAllTasks();
    }
}
