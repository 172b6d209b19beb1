package dev.weir.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request that was held and continues in an async dispatch. Nothing behind the limiting filter has seen it before, so its dispatcher
 * type is {@link DispatcherType#REQUEST}: filters that do nothing in an async dispatch, such as those that authenticate, would
 * otherwise be left out. Once what is behind the filter starts an async context of its own, the type is that of the container.
 *
 * <p>Its parameters are those that the request had when it was held: in an async dispatch of a request that a filter has wrapped, Jetty
 * repeats those of the query.
 *
 * <p>Confined to one dispatch at a time.
 */
final class HeldRequest extends HttpServletRequestWrapper {
    private final HttpServletRequest held;
    private final long timeoutMillis;
    private boolean asyncStarted;

    /**
     * Creates a request.
     *
     * @param timeoutMillis of an async context that it starts; Jetty would go on with that of the wait
     */
    HeldRequest(HttpServletRequest request, HttpServletRequest held, long timeoutMillis) {
        super(request);
        this.held = held;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public @Nullable String getParameter(String name) {
        return held.getParameter(name);
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return held.getParameterValues(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return held.getParameterNames();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return held.getParameterMap();
    }

    @Override
    public DispatcherType getDispatcherType() {
        // Tomcat also shows this wrapper to what the request is forwarded to.
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && !asyncStarted ? DispatcherType.REQUEST : type;
    }

    @Override
    public AsyncContext startAsync() {
        return started(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return started(super.startAsync(request, response));
    }

    private AsyncContext started(AsyncContext started) {
        started.setTimeout(timeoutMillis);
        asyncStarted = true;
        return started;
    }
}
