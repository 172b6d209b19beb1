package dev.weir.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The path of a request within the application. A pattern matches it as the client sent it or as servers resolve it: Spring's handlers
 * match {@code //files/a} and {@code /x/../files/a} as they are, while servlets, handlers of files and servers behind a gateway also
 * take them for {@code /files/a}, and many take {@code /files/a/} for it, too. Immutable and thread-safe.
 */
final class SentPath {
    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    private final PathContainer sent;
    private final @Nullable PathContainer resolved; // null if it is the same
    private final @Nullable PathContainer withoutSlash; // null if there is none at the end

    private SentPath(PathContainer sent, String resolved) {
        this.sent = sent;
        this.resolved = resolved.equals(sent.value()) ? null : PathContainer.parsePath(resolved, DECODED);
        int last = resolved.length() - 1;
        this.withoutSlash = last > 0 && resolved.charAt(last) == '/'
                ? PathContainer.parsePath(resolved.substring(0, last), DECODED)
                : null;
    }

    /** Returns a path of a server that does not resolve it. */
    static SentPath of(PathContainer sent) {
        return new SentPath(sent, needsResolving(sent) ? resolve(sent) : sent.value());
    }

    /** Returns a path, decoded and resolved by a server. */
    static SentPath of(PathContainer sent, String resolved) {
        return new SentPath(sent, resolved);
    }

    /** Returns whether a pattern matches. */
    boolean matches(PathPattern pattern) {
        return pattern.matches(sent)
                || (resolved != null && pattern.matches(resolved))
                || (withoutSlash != null && pattern.matches(withoutSlash));
    }

    /** Returns the path as the client sent and encoded it. */
    String value() {
        return sent.value();
    }

    private static boolean needsResolving(PathContainer path) {
        boolean afterSeparator = false;
        for (PathContainer.Element element : path.elements()) {
            boolean separator = element instanceof PathContainer.Separator;
            if (separator ? afterSeparator : isDots(text(element))) {
                return true;
            }
            afterSeparator = separator;
        }
        return afterSeparator; // decoded, since a path without its last slash is
    }

    private static boolean isDots(String segment) {
        return segment.isEmpty() || segment.equals(".") || segment.equals("..");
    }

    /** Returns the path, decoded, without parameters and without segments that are empty or dots. */
    private static String resolve(PathContainer path) {
        Deque<String> segments = new ArrayDeque<>();
        boolean directory = false;
        for (PathContainer.Element element : path.elements()) {
            String text = element instanceof PathContainer.Separator ? "" : text(element);
            directory = isDots(text);
            if (text.equals("..")) {
                segments.pollLast();
            } else if (!directory) {
                segments.addLast(text);
            }
        }
        return "/" + String.join("/", segments) + (directory && !segments.isEmpty() ? "/" : "");
    }

    private static String text(PathContainer.Element element) {
        return element instanceof PathContainer.PathSegment segment ? segment.valueToMatch() : element.value();
    }
}
