/** Weir's decisions in HTTP. */
@org.jspecify.annotations.NullMarked
module dev.weir.http {
    requires transitive dev.weir.core;
    requires static org.jspecify;
    requires static transitive jakarta.servlet;

    exports dev.weir.http;
}
