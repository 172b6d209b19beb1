package dev.weir.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands at the root find the checkout, and build again if, and only if, a file changed that they are built from. */
final class LaunchersTest {
    private static final Pattern MODULES = Pattern.compile("(?m)^modules=\\((.*)\\)$");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>dev\\.weir</groupId>\\s*<artifactId>([\\w-]+)</artifactId>\\s*</dep");

    @ParameterizedTest
    @CsvSource({
        "weir, weir-cli",
        "bench, weir-benchmarks",
        "stress, weir-stress",
        "examples/payments/run, examples/payments"
    })
    void modules_ofCommand_areThoseItsJarIsMadeOf(String command, String module) {
        List<String> modules = modules(command);

        assertThat(modules).containsExactlyInAnyOrderElementsOf(madeOf(module));
        assertThat(modules).last().isEqualTo(module);
    }

    @Test
    void madeOf_cli_includesItsDependenciesDependencies() {
        assertThat(madeOf("weir-cli")).contains("weir-cli", "weir-replay", "weir-core");
    }

    @ParameterizedTest
    @ValueSource(strings = {"weir", "bench", "stress", "examples/payments/run"})
    void root_withCdpath_isTheCheckout(String command, @TempDir Path directory) throws IOException {
        Path checkout = Files.createDirectories(directory.toRealPath().resolve("checkout"));
        Path copy = checkout.resolve(command);
        Files.createDirectories(Objects.requireNonNull(copy.getParent()));
        Files.copy(Pages.ROOT.resolve(command), copy);
        Path launch = Files.createDirectories(checkout.resolve("scripts")).resolve("launch.sh");
        Files.writeString(launch, "printf '%s' \"$root\"; exit");

        ProcessBuilder run = new ProcessBuilder("bash", "checkout/" + command).directory(directory.toFile());
        run.environment().put("CDPATH", ".");
        Process process = run.redirectErrorStream(true).start();

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).containsExactly(checkout.toString());
    }

    @Test
    void weir_onTerminal_setsProperties(@TempDir Path directory) throws IOException {
        Files.copy(Pages.ROOT.resolve("weir"), directory.resolve("weir"));
        Path launch = Files.createDirectories(directory.resolve("scripts")).resolve("launch.sh");
        // [ ! -t N ] is false, as if each stream were a terminal.
        Files.writeString(launch, "java=echo version=17; [() { case $2 in -t) false ;; *) builtin [ \"$@\" ;; esac; }");

        Process process = new ProcessBuilder("bash", "weir", "replay")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains(" -Dweir.stdout=terminal -Dweir.stderr=terminal -jar ")
                .endsWith(" replay");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "none, none, serve, -XX:+UseG1GC",
                "none, none, replay, -XX:+UseSerialGC",
                "-Xmx1g -XX:+UseZGC, none, serve, none",
                "none, -XX:+UseParallelGC, replay, none",
                "-XX:+UseGCOverheadLimit, none, replay, -XX:+UseSerialGC"
            })
    void weir_collectorInEnvironment_isTheOnlyOne(
            @Nullable String toolOptions,
            @Nullable String launcherOptions,
            String command,
            @Nullable String collector,
            @TempDir Path directory)
            throws IOException {
        Files.copy(Pages.ROOT.resolve("weir"), directory.resolve("weir"));
        Path launch = Files.createDirectories(directory.resolve("scripts")).resolve("launch.sh");
        Files.writeString(launch, "flags=() version=17 java=echo");

        ProcessBuilder run = new ProcessBuilder("bash", "weir", command).directory(directory.toFile());
        set(run, "JAVA_TOOL_OPTIONS", toolOptions);
        set(run, "JDK_JAVA_OPTIONS", launcherOptions);
        Process process = run.redirectErrorStream(true).start();

        assertThat(process.inputReader(StandardCharsets.UTF_8)
                        .lines()
                        .flatMap(line -> Stream.of(line.split(" ", -1)))
                        .filter(option -> option.matches("-XX:.Use.*GC")))
                .containsExactlyElementsOf(Stream.ofNullable(collector).toList());
    }

    private static void set(ProcessBuilder run, String name, @Nullable String value) {
        run.environment().remove(name);
        if (value != null) {
            run.environment().put(name, value);
        }
    }

    /** The command, with settings of its shell, and a Java that, when it is to make an archive of classes, does what is given. */
    private static Process weirWhoseJava(Path directory, String makesArchive, String settings) throws IOException {
        Files.copy(Pages.ROOT.resolve("weir"), directory.resolve("weir"));
        Files.createDirectories(directory.resolve("weir-cli/target"));
        Path launch = Files.createDirectories(directory.resolve("scripts")).resolve("launch.sh");
        Files.writeString(launch, settings + "flags=() version=17 java=$root/java");
        Path java = Files.writeString(directory.resolve("java"), """
                #!/bin/bash
                for option; do case $option in -XX:ArchiveClassesAtExit=*) : >"${option#*=}"; %s ;; esac; done
                echo "runs $*"
                """.formatted(makesArchive));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return new ProcessBuilder("bash", "weir", "serve")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static Path archive(Path directory) {
        return directory.resolve("weir-cli/target/weir-serve-17.jsa");
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void signal_onceArchiveIsBegun_endsTheRun(String signal, int code, @TempDir Path directory) throws Exception {
        // Before each command, the shell waits until its child has ended: the signal comes as early as it can.
        Process process = weirWhoseJava(directory, "kill -" + signal + " $PPID; exit " + code, "trap wait DEBUG; ");

        if (isIgnored(signal)) {
            assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).hasSize(1);
            return;
        }
        assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).isEmpty();
        assertThat(process.waitFor()).isEqualTo(code);
        assertThat(archive(directory).getParent()).isEmptyDirectory();
    }

    /** Returns whether this process was started with the signal ignored, as nohup does; no shell can change that. */
    private static boolean isIgnored(String signal) throws IOException {
        Process shell = new ProcessBuilder("bash", "-c", "trap -p " + signal).start();
        return shell.inputReader(StandardCharsets.UTF_8).readLine() != null;
    }

    @Test
    void archive_ofKilledRun_isRemoved(@TempDir Path directory) throws Exception {
        Process dead = new ProcessBuilder("true").start();
        assertThat(dead.waitFor()).isZero();
        long alive = ProcessHandle.current().pid();
        Path target = Files.createDirectories(directory.resolve("weir-cli/target"));
        Files.createFile(target.resolve("weir-serve-17.jsa." + dead.pid()));
        Path other = Files.createFile(target.resolve("weir-serve-17.jsa." + alive));

        Process process = weirWhoseJava(directory, "exit", "");

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .endsWith("weir.jar serve");
        assertThat(target).isDirectoryNotContaining(file -> !file.equals(archive(directory)) && !file.equals(other));
    }

    @ParameterizedTest
    @CsvSource({"17.0.15, 0", "23, 0", "24.0.1, 1", "25, 1"})
    void java_warnsOfUnsafe_isToldNotTo(String version, int options, @TempDir Path directory) throws IOException {
        ProcessBuilder run = launch(directory, version, "echo ${#flags[@]}");
        run.environment().put("LC_ALL", "C.UTF-8");
        Process process = run.start();

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).containsExactly("" + options);
    }

    @ParameterizedTest
    @CsvSource({
        "ANSI_X3.4-1968, C.UTF-8, -Dstdout.encoding=US-ASCII",
        "US-ASCII, C.UTF-8, -Dstdout.encoding=US-ASCII",
        "UTF-8, '', ''",
        "'', '', ''"
    })
    void localeWithoutUnicode_letsJavaOpenAllFiles(
            String charset, String locale, String options, @TempDir Path directory) throws IOException {
        Path command = Files.writeString(directory.resolve("locale"), "#!/bin/sh\necho " + charset + "\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        ProcessBuilder run = launch(directory, "17", "echo \"$LC_ALL ${flags[*]}\"");
        run.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        set(run, "LC_ALL", null);
        set(run, "LANG", "de_DE.UTF-8"); // whether or not this machine has it
        Process process = run.start();

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines()).last().isEqualTo(locale + " " + options);
    }

    /** Sources launch.sh, with a Java of a version, and runs what is given. */
    private static ProcessBuilder launch(Path directory, String version, String then) throws IOException {
        Path scripts = Files.createDirectories(directory.resolve("scripts"));
        Files.copy(Pages.ROOT.resolve("scripts/launch.sh"), scripts.resolve("launch.sh"));
        Files.writeString(directory.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
        assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();

        ProcessBuilder run = new ProcessBuilder(
                "bash", "-c", "name=any root=$PWD jar=release modules=(scripts); . scripts/launch.sh; " + then);
        run.environment().put("JAVA_HOME", directory.toString());
        return run.directory(directory.toFile()).redirectErrorStream(true);
    }

    @Test
    void build_fails_showsWhatMavenSays(@TempDir Path directory) throws IOException {
        Path scripts = Files.createDirectories(directory.resolve("scripts"));
        Files.copy(Pages.ROOT.resolve("scripts/launch.sh"), scripts.resolve("launch.sh"));
        Files.copy(Pages.ROOT.resolve("weir"), directory.resolve("weir"));
        Path maven = Files.writeString(directory.resolve("mvn"), """
                #!/bin/sh
                printf '\\033[0m[ERROR] Could not create local repository at /r -> [Help 1]\\n[ERROR] \\n[ERROR] See help.\\n'
                exit 1
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();

        ProcessBuilder run = new ProcessBuilder("bash", "weir").directory(directory.toFile());
        run.environment().put("JAVA_HOME", System.getProperty("java.home"));
        run.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
        Process process = run.redirectErrorStream(true).start();

        assertThat(process.inputReader(StandardCharsets.UTF_8).lines())
                .contains("[ERROR] Could not create local repository at /r")
                .noneMatch(line -> line.contains("See help"));
    }

    private static List<String> modules(String command) {
        String list = MODULES.matcher(text(command))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
        return List.of(list.split(" ", -1));
    }

    /** A module, those it depends on, and the two that all builds read. */
    private static Set<String> madeOf(String module) {
        Set<String> made = new LinkedHashSet<>(List.of("weir-bom", "weir-parent"));
        add(module, made);
        return made;
    }

    private static void add(String module, Set<String> made) {
        if (made.add(module)) {
            DEPENDENCY
                    .matcher(text(module + "/pom.xml"))
                    .results()
                    .map(found -> found.group(1))
                    .forEach(dependency -> add(dependency, made));
        }
    }

    private static String text(String file) {
        return String.join("\n", Pages.lines(Pages.ROOT.resolve(file)));
    }
}
