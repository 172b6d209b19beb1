package dev.weir.replay.generate;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * A generator of synthetic access logs in the combined format: people, crawlers, programs and scanners on one site, with a daily
 * rhythm, over one day to a week from Monday, 2 March 2026. The same arguments give the same bytes on every machine.
 *
 * <p>Immutable: {@link #writeTo} writes the same log each time.
 */
public final class LogGenerator {
    /** The default seed. */
    public static final long DEFAULT_SEED = 1;
    /** The default number of clients. */
    public static final int DEFAULT_CLIENTS = 1000;
    /** The largest number of clients. */
    public static final int MAX_CLIENTS = Clients.MAX;

    private static final int STEP = 1 << 12; // lines between two progress reports
    private static final int BUFFER = 1 << 16; // 64 KiB

    private final long requests;
    private final long seed;
    private final int clients;

    /**
     * Creates a generator.
     *
     * @param requests the number of lines to write, at least 1
     * @param seed any number; a different seed gives a different log
     * @param clients the largest number of different clients, 1 to {@link #MAX_CLIENTS}
     * @throws IllegalArgumentException if an argument is out of range
     */
    public LogGenerator(long requests, long seed, int clients) {
        if (requests < 1) {
            throw new IllegalArgumentException("requests must be at least 1, was " + requests);
        }
        if (clients < 1 || clients > MAX_CLIENTS) {
            throw new IllegalArgumentException("clients must be 1 to " + MAX_CLIENTS + ", was " + clients);
        }
        this.requests = requests;
        this.seed = seed;
        this.clients = clients;
    }

    /**
     * Writes the whole log and flushes the stream, but does not close it.
     *
     * @param out receives the log as ASCII text
     * @param progress is notified of the number of lines written, every 4,096 lines and at the end
     * @throws IOException if the stream cannot be written; part of the log may have been written
     */
    public void writeTo(OutputStream out, LongConsumer progress) throws IOException {
        HitGenerator hits = new HitGenerator(requests, seed, clients);
        OutputStream buffered = new BufferedOutputStream(out, BUFFER);
        for (long line = 1; line <= requests; line++) {
            buffered.write(hits.next().line().getBytes(StandardCharsets.US_ASCII));
            if (line % STEP == 0 || line == requests) {
                progress.accept(line);
            }
        }
        buffered.flush();
    }
}
