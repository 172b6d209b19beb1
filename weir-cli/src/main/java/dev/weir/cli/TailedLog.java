package dev.weir.cli;

import dev.weir.Limit;
import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Text;
import dev.weir.replay.LiveReplay;
import dev.weir.replay.LiveReplay.Snapshot;
import dev.weir.replay.format.LogFollower;
import dev.weir.replay.format.LogOptions;
import dev.weir.replay.trace.SkippedLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** A log that is still written, whose requests are replayed against limits. */
final class TailedLog implements TailSource {
    private static final long POLL_NANOS = 100_000_000; // 0.1 s
    private static final byte[] UNKNOWN = {};

    private final String name;
    private final InputStream in;
    private final byte[] head;
    private final LogOptions options;
    private final LiveReplay replay;

    private TailedLog(String name, InputStream in, byte[] head, LogOptions options, LiveReplay replay) {
        this.name = name;
        this.in = in;
        this.head = head;
        this.options = options;
        this.replay = replay;
    }

    /**
     * Opens a log; {@code -} is standard input.
     *
     * @param fromStart whether to read what the file contains already
     * @throws CommandFailure saying why it cannot be read
     */
    static TailedLog open(
            String file, boolean fromStart, Shell shell, LogOptions.Builder options, List<Limit> limits, int maxKeys) {
        LogOptions built = options.written(Instant.now()).build();
        InputFile input = InputFile.open(file, shell); // says what is wrong with it
        LiveReplay replay = new LiveReplay(limits, maxKeys);
        if (input.written() == null) { // not a regular file
            return new TailedLog(input.name(), input.stream(), UNKNOWN, built, replay);
        }
        try (input) {
            FollowedFile followed = new FollowedFile(Path.of(file), POLL_NANOS);
            byte[] head = fromStart ? UNKNOWN : followed.skipToEnd();
            if (head.length > 0) {
                shell.note("weir: counting from the end of " + Text.visible(file)
                        + "; --from-start also counts what it contains\n");
            }
            return new TailedLog(input.name(), followed, head, built, replay);
        } catch (IOException e) {
            throw InputFile.unreadable(file, e);
        }
    }

    @Override
    public void read() {
        try {
            LogFollower.follow(head, in, options, replay);
        } catch (InterruptedIOException stopped) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw InputFile.unreadable(name, e);
        }
    }

    @Override
    public TailFrame frame() {
        Snapshot snapshot = replay.snapshot();
        SkippedLine skipped = snapshot.lastSkipped();
        return new TailFrame(
                Instant.now(),
                snapshot.requests(),
                snapshot.late(),
                snapshot.skipped(),
                skipped == null ? "" : skipped.reason() + ": " + skipped.excerpt(),
                "",
                snapshot.limits().stream()
                        .map(limit -> new LimitCounts(
                                limit.limit().toString(), limit.allowed(), limit.denied(), limit.topDenied()))
                        .toList(),
                false);
    }

    @Override
    public void close() throws IOException {
        in.close();
        replay.close();
    }
}
