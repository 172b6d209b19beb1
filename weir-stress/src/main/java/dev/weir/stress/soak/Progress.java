package dev.weir.stress.soak;

import java.io.PrintStream;
import java.time.Duration;

/** Says on a terminal how far the run is. */
final class Progress {
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream err;
    private final boolean terminal;
    private final Duration whole;

    Progress(PrintStream err, boolean terminal, Duration whole) {
        this.err = err;
        this.terminal = terminal;
        this.whole = whole;
    }

    /** So many nanoseconds have passed. */
    void show(long nanos) {
        if (terminal) {
            err.print(CLEAR_LINE + "soak: " + Duration.ofNanos(nanos).toSeconds() + " of " + whole.toSeconds() + " s");
            err.flush();
        }
    }

    /** Takes the line away. */
    void clear() {
        if (terminal) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }
}
