package dev.weir.cli;

import java.io.IOException;

/** A command of {@code weir}. */
interface Subcommand {
    /** Exit code: the answer was written. */
    int DONE = 0;
    /** Exit code: the answer was written, and it is no. */
    int NO = 1;
    /** Exit code: no answer, because of wrong usage or input that cannot be read. */
    int FAILED = 2;

    /** Writes the answer; returns {@link #DONE} or {@link #NO}. */
    int run() throws IOException;
}
