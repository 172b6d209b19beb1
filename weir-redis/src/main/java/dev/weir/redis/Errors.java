package dev.weir.redis;

import dev.weir.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the errors of the Redis client mean, and the failures of calls. */
final class Errors {
    /** What Redis 6 adds before the error of a command that a script calls, and Redis 7 after it. */
    private static final Pattern OF_SCRIPT = Pattern.compile(
            "^ERR Error running script .*?: -(?=[A-Z]+ )|\\s+script: \\p{XDigit}+, on @user_script:\\d+\\.$");

    private static final Pattern ARGUMENTS = Pattern.compile("(?s), with args beginning with:.*");

    private Errors() {}

    /** Whether a server refused because it does not serve writes: a replica, or a server that still loads its data. */
    static boolean isNotPrimary(@Nullable Throwable error) {
        return isRefusal(error, "READONLY", "LOADING", "MASTERDOWN");
    }

    /**
     * Whether a server refused all writes: it is no primary, or it has fewer replicas than it needs ({@code min-replicas-to-write}).
     * In the second case another one may have been promoted.
     */
    static boolean refusesWrites(@Nullable Throwable error) {
        return isRefusal(error, "NOREPLICAS") || isNotPrimary(error);
    }

    /**
     * Whether a script changed nothing because the slot of its keys is moving, and they are not all on one node. Redis says the same of
     * keys that do not exist yet, and a script that needs the hash of a key and was not given it.
     */
    static boolean isMoving(@Nullable Throwable error) {
        if (!(error instanceof RedisCommandExecutionException)) {
            return false;
        }
        String message = refusal(error);
        return message.startsWith("TRYAGAIN") || message.contains(": TRYAGAIN The slot moves");
    }

    /** Whether a node of a cluster refused because it does not know who serves all slots, or cannot reach most of the other nodes. */
    static boolean isClusterDown(@Nullable Throwable error) {
        return isRefusal(error, "CLUSTERDOWN");
    }

    /** Whether a server, or one of those that were asked, refused a command, such as one that the client sends when it connects. */
    static boolean isRefused(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(cause -> cause instanceof RedisCommandExecutionException
                        || Stream.of(cause.getSuppressed()).anyMatch(Errors::isRefused));
    }

    /** Whether a server refused a command with one of these codes. */
    private static boolean isRefusal(@Nullable Throwable error, String... codes) {
        return error instanceof RedisCommandExecutionException
                && Stream.of(codes).anyMatch(refusal(error)::startsWith);
    }

    /** Whether the client did not send a command, because it has no connection to the node of a cluster, or is still connecting. */
    static boolean isNotConnected(@Nullable Throwable error) {
        return error instanceof RedisException
                && "Currently not connected. Commands are rejected.".equals(error.getMessage());
    }

    /**
     * Returns why a server refused a command, without the place in the script, and without the arguments that the server repeats if
     * it does not know the command: they contain keys.
     */
    static String refusal(Throwable error) {
        String message = String.valueOf(error.getMessage());
        String refusal =
                OF_SCRIPT.matcher(ARGUMENTS.matcher(message).replaceFirst("")).replaceFirst("");
        return refusal.startsWith("MOVED ") // which clients of a cluster follow
                ? refusal
                        + ": the server is a node of a cluster, whose URI begins with redis-cluster: or rediss-cluster:"
                : refusal;
    }

    /** Returns the failure of a call that was not answered in the given time. */
    static StoreException tooLate(long nanos) {
        return new StoreException("Redis did not answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
    }

    /** Returns a copy for another caller: an exception thrown by several threads would collect suppressed exceptions of all. */
    static StoreException copy(StoreException failure) {
        return new StoreException(String.valueOf(failure.getMessage()), failure.getCause());
    }

    /**
     * Returns the message of the innermost cause that has one, in one line; the type of the root cause if none has. If nodes of a cluster
     * failed, which the client adds as suppressed exceptions, that of the first: the client's own message has all addresses and users.
     */
    static String reason(Throwable failure) {
        String innermost = null;
        Throwable root = failure;
        for (Throwable cause = failure; cause != null; cause = causeOf(cause)) {
            String message = cause.getMessage();
            innermost = message == null || message.isBlank() ? innermost : message;
            root = cause;
        }
        if (root instanceof TimeoutException) {
            return "no answer";
        }
        if (root instanceof ClosedChannelException) {
            return "the connection was closed";
        }
        String reason = innermost == null
                ? root.getClass().getSimpleName()
                : innermost.strip().replaceAll("\\s+", " ");
        return root instanceof UnknownHostException ? "unknown host " + reason : reason;
    }

    private static @Nullable Throwable causeOf(Throwable failure) {
        Throwable[] suppressed = failure.getSuppressed();
        return failure.getCause() == null && suppressed.length > 0 ? suppressed[0] : failure.getCause();
    }
}
