package dev.weir.http;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request that was held and continues in an async dispatch. Nothing behind the limiting filter has seen it before, so its dispatcher
 * type is {@link DispatcherType#REQUEST}: filters that do nothing in an async dispatch, such as those that authenticate, would
 * otherwise be left out. Once what is behind the filter starts an async context of its own, the type is that of the container.
 * Confined to one dispatch at a time.
 */
final class HeldRequest extends HttpServletRequestWrapper {
    private boolean asyncStarted;

    HeldRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type =
                super.getDispatcherType(); // Tomcat also shows this wrapper to what a request is forwarded to
        return type == DispatcherType.ASYNC && !asyncStarted ? DispatcherType.REQUEST : type;
    }

    @Override
    public AsyncContext startAsync() {
        AsyncContext started = super.startAsync();
        asyncStarted = true;
        return started;
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        asyncStarted = true;
        return started;
    }
}
