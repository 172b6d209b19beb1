package dev.weir.server.http;

import com.google.common.net.InetAddresses;
import dev.weir.server.config.Token;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The check of calls that show or change keys. With a token, they need it. Without one, they must come from this machine, not
 * through a proxy that can be recognized, and to a name of this machine, which a web page of another site does not use. Thread-safe.
 */
public final class AdminAccess {
    private static final String BEARER = "Bearer ";
    private static final Pattern LOCAL_HOST = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");
    private static final List<String> PROXY_HEADERS =
            List.of("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto");
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private volatile @Nullable Token token;

    public AdminAccess(@Nullable Token token) {
        this.token = token;
    }

    /** Replaces the token. Calls that were accepted continue. */
    public void replace(Token changed) {
        token = changed;
    }

    /**
     * Checks a call.
     *
     * @throws HttpProblem if it is not permitted
     */
    void check(HttpCall call) {
        Token needed = token;
        if (needed == null) {
            checkLocal(call);
            return;
        }
        Optional<String> given = call.header("Authorization");
        if (given.isEmpty()
                || !given.get().regionMatches(true, 0, BEARER, 0, BEARER.length())
                || !isToken(given.get(), needed)) {
            throw new HttpProblem(
                    UNAUTHORIZED,
                    "this call needs the server's token: Authorization: Bearer TOKEN",
                    Map.of("WWW-Authenticate", "Bearer"),
                    new JsonObject());
        }
    }

    /** Compares in constant time. */
    private static boolean isToken(String given, Token token) {
        byte[] bytes = given.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(bytes, token.text().getBytes(StandardCharsets.UTF_8));
    }

    private static void checkLocal(HttpCall call) {
        boolean named = call.header("Host")
                .filter(host -> LOCAL_HOST.matcher(host).matches())
                .isPresent();
        boolean forwarded = call.http10()
                || PROXY_HEADERS.stream()
                        .anyMatch(name -> !call.headers().apply(name).isEmpty());
        boolean local = InetAddresses.isInetAddress(call.peer())
                && InetAddresses.forString(call.peer()).isLoopbackAddress();
        if (!local || !named || forwarded) {
            throw new HttpProblem(
                    FORBIDDEN,
                    "without a token, this call is answered only to programs on the same machine that call it localhost,"
                            + " 127.0.0.1 or [::1], and not through a proxy");
        }
    }
}
