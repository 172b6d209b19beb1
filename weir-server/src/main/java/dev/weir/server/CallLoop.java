package dev.weir.server;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;

/**
 * An event loop that bounds the memory of calls that nothing keeps back. It reads all connections that are ready before it runs tasks,
 * and gRPC sends answers in tasks, so after some answers it runs the tasks between two connections. The calls that wait for a store are
 * bounded by their number; at most half of them are incomplete or have an answer that is not taken, see {@link OpenRequests}. Used by
 * its thread, but for what says otherwise.
 */
final class CallLoop extends SingleThreadIoEventLoop {
    private static final int MOST_UNSENT = 256; // and those of one read

    private final int maxOpen;
    private int open;
    private int unsent;

    CallLoop(IoEventLoopGroup group, Executor executor, IoHandlerFactory io, int maxOpen) {
        super(group, executor, io);
        this.maxOpen = maxOpen;
    }

    /** Counts a call with one answer, and returns whether there is room for it. */
    boolean begin() {
        return ++open <= maxOpen;
    }

    /** A call has ended, whether or not there was room for it. */
    void end() {
        open--;
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
