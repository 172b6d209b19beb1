package dev.weir.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A stream that fails if nothing arrives for some time: a connection whose other end has gone without a word does not end by
 * itself. It closes the stream below, which must release a thread that reads it. One thread reads.
 */
final class WatchedStream extends FilterInputStream {
    private final Duration longestSilence;
    private volatile long latest = System.nanoTime(); // when something arrived
    private volatile boolean silent;
    private volatile boolean closed;

    WatchedStream(InputStream in, Duration longestSilence) {
        super(in);
        this.longestSilence = longestSilence;
        checkAfter(longestSilence.toNanos());
    }

    private void checkAfter(long nanos) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::check);
    }

    private void check() {
        long left = latest + longestSilence.toNanos() - System.nanoTime();
        if (closed) {
            return;
        }
        if (left > 0) {
            checkAfter(left);
            return;
        }
        silent = true;
        try {
            close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
        int count = -1;
        try {
            count = in.read(to, from, length);
        } catch (IOException failed) {
            if (!silent) {
                throw failed;
            }
        }
        if (silent) {
            throw new IOException("nothing arrived for " + longestSilence.toSeconds() + " s");
        }
        latest = System.nanoTime();
        return count;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        super.close();
    }
}
