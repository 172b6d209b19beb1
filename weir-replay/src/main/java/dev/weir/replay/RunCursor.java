package dev.weir.replay;

import dev.weir.replay.RunFile.Run;
import java.nio.ByteBuffer;

/** A place in a run of a {@link RunFile}; cursors are ordered by the time of the next request. */
final class RunCursor implements Comparable<RunCursor> {
    private static final int MAX_BUFFER = 1 << 16; // 64 KiB
    private static final int MIN_BUFFER = 1 << 12; // 4 KiB
    private static final int ALL_BUFFERS = 1 << 25; // 32 MiB

    private final RunFile file;
    private final int number; // runs are numbered as the log has them
    private final int bufferSize;
    private ByteBuffer buffer = ByteBuffer.allocate(0); // until the run is needed
    private long position;
    private int left;
    private long time;

    /** A cursor at the beginning of a run, one of {@code runs} that are merged. */
    RunCursor(RunFile file, Run run, int number, int runs) {
        this.file = file;
        this.number = number;
        this.bufferSize = Math.max(MIN_BUFFER, Math.min(MAX_BUFFER, ALL_BUFFERS / runs));
        this.position = run.offset();
        this.left = run.events();
        this.time = run.firstTime();
    }

    /** Hands over the requests up to where another cursor comes first, one at least; whether there are more after it. */
    boolean forEachBefore(RunCursor other, EventConsumer consumer) throws LogException {
        do {
            long eventTime = time;
            fill();
            long key = number();
            long permits = (key & 1) == 0 ? 1 : number();
            time += number();
            left--;
            consumer.accept(eventTime, (int) (key >>> 1), permits);
        } while (left > 0 && (other == null || compareTo(other) < 0));
        return left > 0;
    }

    @Override
    public int compareTo(RunCursor other) {
        int byTime = Long.compare(time, other.time);
        return byTime != 0 ? byTime : Integer.compare(number, other.number);
    }

    private long number() {
        long value = 0;
        int shift = 0;
        byte part;
        do {
            part = buffer.get();
            value |= (part & 0x7fL) << shift;
            shift += 7;
        } while (part < 0);
        return value;
    }

    private void fill() throws LogException {
        if (buffer.remaining() >= RunFile.MAX_EVENT) {
            return;
        }
        if (buffer.capacity() == 0) {
            buffer = ByteBuffer.allocate(bufferSize).flip();
        }
        buffer.compact();
        int read = file.read(buffer, position);
        while (read > 0 && buffer.position() < RunFile.MAX_EVENT) {
            position += read;
            read = file.read(buffer, position);
        }
        position += Math.max(read, 0);
        buffer.flip();
    }
}
