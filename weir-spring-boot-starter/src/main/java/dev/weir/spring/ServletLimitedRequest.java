package dev.weir.spring;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/** A request of a servlet container. */
final class ServletLimitedRequest implements LimitedRequest {
    private static final String ATTRIBUTE = ServletLimitedRequest.class.getName();

    private final HttpServletRequest source;
    private final SentPath path;

    private ServletLimitedRequest(HttpServletRequest source) {
        this.source = source;
        this.path = path(source);
    }

    private static SentPath path(HttpServletRequest source) {
        String uri = source.getRequestURI();
        String context = source.getContextPath();
        String sent = uri.startsWith(context) ? uri.substring(context.length()) : uri; // not with //context
        String rest = source.getPathInfo();
        return SentPath.of(
                PathContainer.parsePath(sent), rest == null ? source.getServletPath() : source.getServletPath() + rest);
    }

    /** Returns the request; the same object for all rules, so that the path is parsed once. */
    static LimitedRequest of(HttpServletRequest source) {
        if (source.getAttribute(ATTRIBUTE) instanceof ServletLimitedRequest known && known.source.equals(source)) {
            return known;
        }
        ServletLimitedRequest created = new ServletLimitedRequest(source);
        source.setAttribute(ATTRIBUTE, created);
        return created;
    }

    @Override
    public String method() {
        return source.getMethod();
    }

    @Override
    public SentPath path() {
        return path;
    }

    @Override
    public String peer() {
        return source.getRemoteAddr();
    }

    @Override
    public List<String> headers(String name) {
        return Collections.list(source.getHeaders(name));
    }

    @Override
    public @Nullable Principal principal() {
        return source.getUserPrincipal();
    }

    @Override
    public Object source() {
        return source;
    }
}
