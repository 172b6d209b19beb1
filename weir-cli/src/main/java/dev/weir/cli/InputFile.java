package dev.weir.cli;

import dev.weir.cli.terminal.Shell;
import dev.weir.replay.trace.LogException;
import dev.weir.server.config.Texts;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read, or standard input.
 *
 * @param name its name in messages
 * @param stream its content
 * @param size its bytes; 0 if that is not known before it is read
 * @param written when it was last modified; null if that is not known
 */
record InputFile(
        String name,
        InputStream stream,
        long size,
        @Nullable Instant written) implements AutoCloseable {
    /**
     * Opens a file; {@code -} is standard input.
     *
     * @throws CommandFailure saying why it cannot be read
     */
    static InputFile open(String file, Shell shell) {
        if (file.equals("-")) {
            return new InputFile(nameOf(file), unclosed(shell.in()), 0, null);
        } else if (file.isEmpty()) {
            throw new CommandFailure("FILE is empty; give a file's name, or - for standard input");
        }
        try {
            Path path = path(file);
            if (Files.isDirectory(path)) {
                throw new CommandFailure(file + " is a directory, not a file");
            }
            InputStream stream = Files.newInputStream(path);
            return Files.isRegularFile(path)
                    ? new InputFile(
                            file,
                            stream,
                            Files.size(path),
                            Files.getLastModifiedTime(path).toInstant())
                    : new InputFile(file, stream, 0, null);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(file + " " + e.getMessage());
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /**
     * Returns the path with a name.
     *
     * @throws IllegalArgumentException if no file can have the name on this system
     */
    static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("cannot be a file's name here: " + e.getReason(), e);
        }
    }

    /** Returns the name of a file in messages. */
    static String nameOf(String file) {
        return file.equals("-") ? "standard input" : file;
    }

    /** Returns the reason, in words, why a file cannot be read or what is in it cannot be used. */
    static CommandFailure unreadable(String file, IOException e) {
        return new CommandFailure(
                e instanceof LogException
                        ? file + ": " + e.getMessage()
                        : "cannot read " + file + ": " + Texts.reason(e));
    }

    /** A stream that stays open. It also hides a FileInputStream, whose readNBytes fails on a pipe on JDK 17. */
    private static InputStream unclosed(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public void close() {}
        };
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
