package dev.weir.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Standard output, whose failures can be distinguished from those of files. A reader that closed its end of a pipe is not a
 * fault; a full disk is.
 */
public final class Stdout extends OutputStream {
    private final OutputStream out;
    private final boolean pipe;

    /**
     * Writes to {@code out}.
     *
     * @param pipe whether that is known to be a pipe; false if it is something else or not known
     */
    public Stdout(OutputStream out, boolean pipe) {
        this.out = out;
        this.pipe = pipe;
    }

    /** Standard output could not be written. */
    public static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean pipe;

        Failure(IOException cause, boolean pipe) {
            super(cause.getMessage(), cause);
            this.pipe = pipe;
        }

        /** Returns whether the reader closed its end, the only failure of a pipe; otherwise judged by the system's message. */
        public boolean isClosedPipe() {
            return pipe || String.valueOf(getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            throw new Failure(e, pipe);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw new Failure(e, pipe);
        }
    }
}
