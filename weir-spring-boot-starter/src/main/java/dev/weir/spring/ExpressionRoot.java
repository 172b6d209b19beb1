package dev.weir.spring;

import dev.weir.http.ClientAddress;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What expressions see of a request: the names that the page on Spring documents. */
final class ExpressionRoot {
    private final LimitedRequest request;
    private final ClientAddress address;

    ExpressionRoot(LimitedRequest request, ClientAddress address) {
        this.request = request;
        this.address = address;
    }

    public String getMethod() {
        return request.method();
    }

    public String getPath() {
        return request.path().value();
    }

    public String getAddress() {
        return request.client(address);
    }

    public @Nullable String getUser() {
        return request.user();
    }

    public @Nullable Principal getPrincipal() {
        return request.principal();
    }

    public Object getRequest() {
        return request.source();
    }

    public @Nullable String header(String name) {
        List<String> values = request.headers(name);
        return values.isEmpty() ? null : values.get(0);
    }
}
