package dev.weir.spring;

import dev.weir.http.ClientAddress;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What rules read of an HTTP request, whichever kind of server received it. Used by one thread at a time. */
interface LimitedRequest {

    /** Returns the method, in capitals. */
    String method();

    /** Returns the path within the application. */
    SentPath path();

    /** Returns the address of the other end of the connection, empty if it has none. */
    String peer();

    /** Returns all values of a header in their order; the name in any case. */
    List<String> headers(String name);

    /** Returns who is authenticated, null if nobody is. */
    @Nullable
    Principal principal();

    /** Returns the name of the user, null if the request is not authenticated. */
    default @Nullable String user() {
        Principal principal = principal();
        return principal == null ? null : principal.getName();
    }

    /** Returns the request of the server, for expressions. */
    Object source();

    /** Returns the address of the client, behind any proxies. */
    default String client(ClientAddress address) {
        return address.find(peer(), this::headers);
    }
}
