package dev.weir.server;

import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Gives new connections new certificates. Files that cannot be used change nothing, and the log says why. Used by the thread of
 * {@link FileWatch}.
 */
final class TlsWatcher {
    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final TlsFiles files;
    private final GrpcServer grpc;
    private final HttpServer http;
    private final Settled<Object> seen;
    private volatile boolean valid = true;

    /**
     * Creates a watcher.
     *
     * @param inForce what the servers were started with
     */
    TlsWatcher(TlsFiles files, TlsMaterial inForce, GrpcServer grpc, HttpServer http) {
        this.files = files;
        this.seen = new Settled<>(inForce);
        this.grpc = grpc;
        this.http = http;
    }

    /** Looks at the files once. */
    void look() {
        Object now = read();
        if (!seen.isNew(now)) {
            return;
        }
        try {
            if (now instanceof TlsMaterial material) {
                material.check();
                http.replace(material);
                grpc.replace(material);
                valid = true;
                LOG.log(Level.INFO, "new connections get the changed certificate");
            } else {
                reject(now);
            }
        } catch (IllegalArgumentException | IOException e) {
            reject(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the material, or the text of why it cannot be read. */
    private Object read() {
        try {
            return files.read();
        } catch (IllegalArgumentException unreadable) {
            return String.valueOf(unreadable.getMessage());
        }
    }

    /** Returns whether the latest files are in use. */
    boolean isValid() {
        return valid;
    }

    private void reject(Object reason) {
        valid = false;
        LOG.log(
                Level.WARNING,
                "the certificate stays as it was: " + reason.toString().replaceAll("\\p{Cntrl}", "?"));
    }
}
