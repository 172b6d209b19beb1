/** Weir's decisions in HTTP: responses, a servlet filter, and limits of outgoing requests. */
@org.jspecify.annotations.NullMarked
module dev.weir.http {
    requires transitive dev.weir.core;
    requires static org.jspecify;
    requires static transitive jakarta.servlet;
    requires static transitive java.net.http;
    requires static transitive okhttp3;
    requires static kotlin.stdlib;

    exports dev.weir.http;
    exports dev.weir.http.okhttp;
}
