package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files whose content is replaced at once: who follows one could also see it empty before its content is written. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes a file, and returns it. Uses a file {@code next} beside it meanwhile. */
    public static Path write(Path file, String content) throws IOException {
        Path next = Files.writeString(file.resolveSibling("next"), content);
        return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
