package dev.weir.testing;

import java.io.BufferedInputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server for one test, on a free port and in an empty folder: the one in the PATH, otherwise the one in embedded-redis.
 * Tests can kill, pause and restart it. It ends with this JVM at the latest.
 */
public final class RedisServer implements AutoCloseable {
    private static final int COMMAND_MILLIS = Math.toIntExact(Await.TIMEOUT.toMillis());
    private static final int BUS = 10_000; // the nodes of a cluster connect to each other on port + 10,000
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
    }

    private final List<String> command;
    private final int port;
    private final Path folder;
    private Process process;

    private RedisServer(List<String> command, int port, Path folder) throws IOException {
        this.command = command;
        this.port = port;
        this.folder = folder;
        this.process = launch();
    }

    /** Returns the available servers: the one in the PATH, if any, and the one in embedded-redis. */
    public static List<Path> binaries() {
        return Binaries.ALL;
    }

    private static final class Binaries {
        static final List<Path> ALL = find();

        private static List<Path> find() {
            try {
                List<Path> binaries = new ArrayList<>();
                for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
                    Path file = Path.of(folder, "redis-server");
                    if (binaries.isEmpty() && Files.isExecutable(file)) {
                        binaries.add(file);
                    }
                }
                binaries.add(ExecutableProvider.newJarResourceProvider().get().toPath());
                return List.copyOf(binaries);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Returns the version of a server, for example "7.0.15". */
    public static String version(Path binary) {
        try {
            Process print = new ProcessBuilder(binary.toString(), "--version").start();
            String answer = new String(print.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            Matcher version = Pattern.compile("v=([0-9.]+)").matcher(answer);
            if (!version.find()) {
                throw new IllegalStateException(binary + " printed no version: " + answer);
            }
            return version.group(1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts the first available server, with further settings: alternating names and values. */
    public static RedisServer start(String... settings) {
        return start(binaries().get(0), settings);
    }

    /** Starts a server that stores nothing on disk. */
    public static RedisServer start(Path binary, String... settings) {
        int port = freePort();
        Path folder = folder();
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        command.addAll(List.of("--save", "", "--appendonly", "no"));
        command.addAll(List.of(settings));
        return started(command, port, folder);
    }

    /** Starts a sentinel with these lines of configuration, which it may rewrite. */
    public static RedisServer sentinel(Path binary, List<String> lines) {
        int port = freePort();
        Path folder = folder();
        List<String> all = new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "dir " + folder));
        all.addAll(lines);
        try {
            Path file = Files.write(folder.resolve("sentinel.conf"), all);
            return started(List.of(binary.toString(), file.toString(), "--sentinel"), port, folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RedisServer started(List<String> command, int port, Path folder) {
        try {
            RedisServer server = new RedisServer(command, port, folder);
            server.awaitAnswer();
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Process launch() throws IOException {
        Process launched = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        RUNNING.add(launched);
        return launched;
    }

    private static Path folder() {
        try {
            return Files.createTempDirectory("weir-redis");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Returns a free port whose cluster bus port is free, too, outside the range of outgoing connections. No other JVM is given it,
     * and this one not for the next hundred calls.
     */
    public static int freePort() {
        return Ports.next();
    }

    /** Each JVM has a block of a hundred ports: the first block whose mark, an otherwise unused port, it could bind. */
    private static final class Ports {
        private static final int FIRST = 20_000;
        private static final int IN_A_BLOCK = 100;
        private static final int BLOCKS = 20;
        private static final int MARKS = FIRST + BLOCKS * IN_A_BLOCK;
        private static final AtomicInteger NEXT = new AtomicInteger();

        private static final ServerSocket MARK = mark(); // until this JVM ends

        private static ServerSocket mark() {
            for (int block = 0; block < BLOCKS; block++) {
                ServerSocket mark = bound(MARKS + block);
                if (mark != null) {
                    return mark;
                }
            }
            throw new IllegalStateException("no block of ports is free");
        }

        static int next() {
            int first = FIRST + (MARK.getLocalPort() - MARKS) * IN_A_BLOCK;
            while (true) {
                int port = first + Math.floorMod(NEXT.getAndIncrement(), IN_A_BLOCK);
                if (isFree(port) && isFree(port + BUS)) {
                    return port;
                }
            }
        }

        private static boolean isFree(int port) {
            try (ServerSocket socket = bound(port)) {
                return socket != null;
            } catch (IOException notClosed) {
                throw new UncheckedIOException(notClosed);
            }
        }

        private static @Nullable ServerSocket bound(int port) {
            try {
                return new ServerSocket(port);
            } catch (IOException taken) {
                return null;
            }
        }
    }

    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** Sends SIGKILL; the data in memory is lost. */
    public void kill() {
        process.destroyForcibly().onExit().join();
        RUNNING.remove(process);
    }

    /** Starts a killed server again on the same port. */
    public void restart() {
        try {
            process = launch();
            awaitAnswer();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Sends SIGSTOP: connections stay open, and no command is answered. */
    public void pause() {
        Signal.STOP.sendTo(process);
    }

    /** Sends SIGCONT: commands that arrived during the pause are answered. */
    public void resume() {
        Signal.CONT.sendTo(process);
    }

    /**
     * Sends a command on a new connection. Returns a text, a number, a list or null; each character of a text is one byte.
     *
     * @throws IllegalStateException if the server returns an error or does not answer
     */
    public @Nullable Object command(String... words) {
        try {
            @Nullable Object answer = send(COMMAND_MILLIS, words);
            if (answer instanceof Resp.ErrorReply error) {
                throw new IllegalStateException(error.message() + ", in reply to " + String.join(" ", words));
            }
            return answer;
        } catch (IOException failure) {
            throw new IllegalStateException("no answer to " + String.join(" ", words), failure);
        }
    }

    /** Returns a value of INFO; empty if there is none. */
    public String info(String section, String name) {
        return field(String.valueOf(command("INFO", section)), name);
    }

    /** Returns the value in a line {@code name:value}; empty if there is none. */
    public static String field(String text, String name) {
        Matcher value =
                Pattern.compile("(?m)^" + Pattern.quote(name) + ":([^\r\n]*)").matcher(text);
        return value.find() ? value.group(1) : "";
    }

    /** Returns the number of times the server has run a command. */
    public long calls(String command) {
        return statistic(command, "calls");
    }

    /** Returns the time that the server has spent in a command, in microseconds. */
    public long micros(String command) {
        return statistic(command, "usec");
    }

    private long statistic(String command, String name) {
        Matcher value = Pattern.compile(name + "=(\\d+)").matcher(info("commandstats", "cmdstat_" + command));
        return value.find() ? Long.parseLong(value.group(1)) : 0;
    }

    private @Nullable Object send(int millis, String... words) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(Resp.request(words));
            return Resp.frame(new BufferedInputStream(socket.getInputStream())).value();
        }
    }

    private void awaitAnswer() throws IOException {
        try {
            Await.until("an answer", () -> !process.isAlive() || answers());
            if (process.isAlive()) {
                return;
            }
        } catch (AssertionError silent) {
            process.destroyForcibly();
        }
        String log = log();
        close();
        throw new IllegalStateException("redis-server does not answer:\n" + log);
    }

    /** Returns whether the server answers within half a second; an error because of a missing password is an answer. */
    public boolean answers() {
        try {
            Object answer = send(500, "PING");
            boolean needsPassword =
                    answer instanceof Resp.ErrorReply error && error.message().startsWith("NOAUTH");
            return "PONG".equals(answer) || needsPassword;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Returns the output of the server. */
    public String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
