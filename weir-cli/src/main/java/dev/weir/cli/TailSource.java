package dev.weir.cli;

import java.io.IOException;

/** Where {@code weir tail} has its decisions from. One thread reads while another one looks at the frames. */
interface TailSource extends AutoCloseable {
    /**
     * Reads until there is no more.
     *
     * @throws CommandFailure if it cannot be read, with the reason
     */
    void read();

    /** Returns what was decided so far. */
    TailFrame frame();

    @Override
    void close() throws IOException;
}
