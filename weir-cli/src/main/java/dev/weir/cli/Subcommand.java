package dev.weir.cli;

import java.io.IOException;

/** What stands behind a word after {@code weir}. */
interface Subcommand {
    /** The answer is given. */
    int DONE = 0;
    /** The answer is given, and it is no. */
    int NO = 1;
    /** There is no answer: wrong usage, or input that cannot be read. */
    int FAILED = 2;

    /** Gives the answer; returns {@link #DONE} or {@link #NO}. */
    int run() throws IOException;
}
