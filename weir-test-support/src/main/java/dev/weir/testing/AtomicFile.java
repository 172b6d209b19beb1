package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files whose content is replaced at once, so that a program that follows one never sees it empty. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes a file, and returns it. Until then, its content is in the file {@code next} of its directory. */
    public static Path write(Path file, String content) throws IOException {
        Path next = Files.writeString(file.resolveSibling("next"), content);
        return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
