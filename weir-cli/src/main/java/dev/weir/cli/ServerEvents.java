package dev.weir.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of events of a server. If it ends, or sends nothing for a given time, it is opened again: after one second, and after twice as
 * long, up to 15 s, each time that fails. Events that the server sends meanwhile are lost. One thread reads.
 */
final class ServerEvents implements Closeable {
    /** The usual longest silence: a server sends an event each second. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    private static final long TIMEOUT_SECONDS = 10;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final long FIRST_PAUSE_SECONDS = 1;
    private static final long LONGEST_PAUSE_SECONDS = 15;

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final HttpRequest request;
    private final Duration longestSilence;
    private volatile InputStream stream;
    private volatile String lost = "";

    private ServerEvents(HttpRequest request, Duration longestSilence) throws Unreachable {
        this.request = request;
        this.longestSilence = longestSilence;
        this.stream = open();
    }

    /** A server does not serve the stream now, and may do so later. */
    private static final class Unreachable extends Exception {
        private static final long serialVersionUID = 1;

        Unreachable(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Returns whether a name is the address of a server, not of a file. */
    static boolean isAddress(String name) {
        return name.startsWith("http://") || name.startsWith("https://");
    }

    /**
     * Connects to a server.
     *
     * @param server its address
     * @param token the token for calls of operators; null if there is none
     * @param longestSilence after which the stream is opened again
     * @throws CommandFailure saying why it cannot be read
     */
    static ServerEvents connect(String server, @Nullable String token, Duration longestSilence) {
        URI address = address(server);
        HttpRequest.Builder request = HttpRequest.newBuilder(address).header("Accept", "text/event-stream");
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        try {
            return new ServerEvents(request.build(), longestSilence);
        } catch (Unreachable e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the address of the stream. */
    URI address() {
        return request.uri();
    }

    /** Returns why nothing is received now; empty if that is not so. */
    String lost() {
        return lost;
    }

    /** Opens the stream. */
    private InputStream open() throws Unreachable {
        HttpResponse<InputStream> response = send(request);
        if (response.statusCode() == OK) {
            return new WatchedStream(response.body(), longestSilence);
        }
        try {
            response.body().close(); // else its connection stays open
        } catch (IOException e) {
            throw new Unreachable("cannot reach " + request.uri() + ": " + reason(e));
        }
        String refusal = refusal(request.uri(), response.statusCode());
        if (response.statusCode() == UNAVAILABLE) {
            throw new Unreachable(refusal);
        }
        throw new CommandFailure(refusal);
    }

    /** Sends a request. The time limit is for the answer, not for the stream that follows. */
    private static HttpResponse<InputStream> send(HttpRequest request) throws Unreachable {
        CompletableFuture<HttpResponse<InputStream>> answer =
                CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
        try {
            return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new Unreachable("cannot reach " + request.uri() + ": " + reason(e.getCause()));
        } catch (TimeoutException e) {
            throw new Unreachable(request.uri() + " did not answer within " + TIMEOUT_SECONDS + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted while connecting to " + request.uri());
        } finally {
            answer.cancel(true); // else a late answer would be a stream that nobody reads
        }
    }

    private static URI address(String server) {
        try {
            URI address = URI.create(server.replaceFirst("/+$", "") + "/v1/events");
            if (address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException invalid) {
            // reported below
        }
        throw new CommandFailure("the address of a server must be like http://127.0.0.1:8080, was '" + server + "'");
    }

    private static String refusal(URI address, int status) {
        String hint = switch (status) {
            case 301, 302, 307, 308 -> "; redirects are not followed, such as one to https";
            case 401, 403 -> "; --token-file gives the token of the server's operators";
            case 404 -> "; is it a Weir server, of this version?";
            case 503 -> "; it, or a proxy before it, has no room or is down";
            default -> "";
        };
        return address + " answered " + status + hint;
    }

    private static String reason(@Nullable Throwable failure) {
        String message = failure == null ? null : failure.getMessage();
        if (message == null) { // the JDK's client says only what class the cause has
            boolean unknown = failure != null && failure.getCause() instanceof UnresolvedAddressException;
            return unknown ? "unknown host" : "the connection failed";
        }
        return message.contains("status line")
                ? "its answer is not HTTP/1.1; is this the port of gRPC?" // the JDK's message contains the answer
                : message;
    }

    /**
     * Passes each event to a consumer, its name and its data, until the thread is interrupted.
     *
     * @throws CommandFailure if the server refuses the stream
     */
    void forEach(BiConsumer<String, String> consumer) {
        while (!Thread.currentThread().isInterrupted()) {
            String end = readToEnd(consumer);
            for (long pause = FIRST_PAUSE_SECONDS; !end.isEmpty(); pause = Math.min(2 * pause, LONGEST_PAUSE_SECONDS)) {
                lost = end + "; next try within " + pause + " s";
                if (!sleep(pause)) {
                    return;
                }
                end = reopen();
            }
            lost = "";
        }
    }

    /** Reads the events of a stream, and returns why it ended. */
    private String readToEnd(BiConsumer<String, String> consumer) {
        try (InputStream opened = stream) {
            new EventReader(opened).forEach(consumer);
            return request.uri() + " closed the stream";
        } catch (IOException e) {
            return "the stream of " + request.uri() + " broke: " + reason(e);
        }
    }

    /** Opens the stream again. Returns why that failed; empty if it did not. */
    private String reopen() {
        try {
            stream = open();
            return "";
        } catch (Unreachable e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Returns false if the thread is interrupted. */
    private static boolean sleep(long seconds) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
