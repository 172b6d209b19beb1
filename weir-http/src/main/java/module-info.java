/** Weir's decisions in HTTP: responses, a servlet filter, and limits of outgoing requests. */
@org.jspecify.annotations.NullMarked
module dev.weir.http {
    requires transitive dev.weir.core;
    requires transitive java.net.http;
    requires static org.jspecify;
    // Not transitive: applications without servlets or OkHttp compile without them.
    requires static jakarta.servlet;
    requires static okhttp3;
    requires static kotlin.stdlib;

    exports dev.weir.http;
    exports dev.weir.http.okhttp;
}
