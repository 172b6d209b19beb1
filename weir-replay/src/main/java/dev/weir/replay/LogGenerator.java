package dev.weir.replay;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a synthetic access log in the combined format: people, crawlers, programs and scanners on one site, with a daily
 * rhythm, over one day to a week from Monday, 2 March 2026. The same arguments give the same bytes, on every machine.
 */
public final class LogGenerator {
    /** The seed if none is chosen. */
    public static final long DEFAULT_SEED = 1;
    /** The clients if their number is not chosen. */
    public static final int DEFAULT_CLIENTS = 1000;
    /** The most clients. */
    public static final int MAX_CLIENTS = Clients.MAX;

    private static final int STEP = 1 << 12; // lines between two words of progress

    private final long requests;
    private final long seed;
    private final int clients;

    /**
     * A generator.
     *
     * @param requests lines to write, at least 1
     * @param seed any number; another one gives another log
     * @param clients how many different clients there are at most, 1 to {@link #MAX_CLIENTS}
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
     * @param progress is notified of the lines written
     */
    public void writeTo(OutputStream out, ProgressListener progress) throws IOException {
        Traffic traffic = new Traffic(requests, seed, clients);
        CombinedWriter writer = new CombinedWriter(out);
        for (long line = 1; line <= requests; line++) {
            writer.write(traffic.next());
            if (line % STEP == 0 || line == requests) {
                progress.advanced(line);
            }
        }
        writer.flush();
    }
}
