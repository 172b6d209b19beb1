package dev.weir.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The environment of the command: its three streams and their properties. The answer is written to {@link #out}, all else
 * to {@link #err}.
 *
 * @param outIsTerminal whether a person reads the answer as it comes
 * @param errIsTerminal whether a person watches the notes, and so wants to see progress
 * @param size returns the terminal's size, which the user may change
 * @param charset in which text for people is written
 */
public record Shell(
        InputStream in,
        Stdout out,
        OutputStream err,
        boolean outIsTerminal,
        boolean errIsTerminal,
        Supplier<TerminalSize> size,
        Charset charset,
        Map<String, String> environment) {

    /**
     * Returns the area that the answer is drawn on. Its width does not depend on a terminal that only notes are written to.
     */
    public Page page() {
        TerminalSize known = outIsTerminal ? size.get() : TerminalSize.of("", environment.getOrDefault("COLUMNS", ""));
        return page(known, outIsTerminal);
    }

    /** Returns the area that notes are drawn on. */
    Page notePage() {
        return page(size.get(), errIsTerminal);
    }

    private Page page(TerminalSize known, boolean terminal) {
        return new Page(known.columns(), terminal, terminal && wantsColours(), StandardCharsets.UTF_8.equals(charset));
    }

    /** Whether a line can be drawn again and again on stderr. */
    public boolean showsProgress() {
        return errIsTerminal && !isDumb();
    }

    /** Whether the answer can be drawn again and again in the same place. */
    public boolean redraws() {
        return outIsTerminal && !isDumb();
    }

    /** Returns the same shell without progress. */
    public Shell withoutProgress() {
        return new Shell(in, out, err, outIsTerminal, false, size, charset, environment);
    }

    /** Returns whether the user is looking for a fault in the command. */
    public boolean debugs() {
        return !environment.getOrDefault("WEIR_DEBUG", "").isEmpty();
    }

    private boolean wantsColours() {
        return environment.getOrDefault("NO_COLOR", "").isEmpty() && !isDumb();
    }

    private boolean isDumb() {
        return environment.getOrDefault("TERM", "").equals("dumb");
    }

    /** Writes the answer, or a part of it. */
    public void answer(String text) throws IOException {
        out.write(text.getBytes(charset));
        out.flush();
    }

    /** Writes to stderr, whether or not anyone reads it. */
    public void note(String text) {
        try {
            err.write(text.getBytes(charset));
            err.flush();
        } catch (IOException nobodyReadsIt) {
            // There is no other place to say so.
        }
    }
}
