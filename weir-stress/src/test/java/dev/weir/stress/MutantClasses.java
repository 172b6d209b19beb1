package dev.weir.stress;

import dev.weir.stress.run.ChildJvm;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The classes of a mutant, compiled from the real source as it is now. */
final class MutantClasses {
    private static final Path SOURCES = Path.of("../weir-core/src/main/java");

    private MutantClasses() {}

    /** The directory that belongs in front of the class path. */
    static Path compiled(Mutant mutant) {
        try {
            Files.createDirectories(ChildJvm.WORK);
            Path directory = Files.createTempDirectory(ChildJvm.WORK, "mutant");
            Path source = directory.resolve("src").resolve(mutant.source());
            Files.createDirectories(source.getParent());
            Files.writeString(source, broken(mutant, Files.readString(SOURCES.resolve(mutant.source()))));
            compile(source, directory);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The source with the mutant's lines replaced.
     *
     * @throws AssertionError if they are not there exactly once
     */
    static String broken(Mutant mutant, String source) {
        Matcher lines = Pattern.compile(mutant.original()
                        .strip()
                        .lines()
                        .map(line -> "[ \\t]*" + Pattern.quote(line.strip()))
                        .collect(Collectors.joining("\\R", "(?m)^", "$")))
                .matcher(source);
        long found = lines.results().count();
        if (found != 1) {
            throw new AssertionError("the lines to break are there " + found + " times in " + mutant.source()
                    + ", must be there once:\n" + mutant.original());
        }
        return lines.replaceFirst(Matcher.quoteReplacement(mutant.replacement()));
    }

    private static void compile(Path source, Path directory) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d",
                    directory.toString(),
                    "-cp",
                    ChildJvm.classPath(),
                    "-proc:none",
                    "--release",
                    "17",
                    "-nowarn");
            if (!compiler.getTask(errors, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                throw new AssertionError("the mutant does not compile:\n" + errors);
            }
        }
    }
}
