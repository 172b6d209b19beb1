/** Weir's state on Redis. */
@org.jspecify.annotations.NullMarked
module dev.weir.redis {
    requires transitive dev.weir.core;
    requires static org.jspecify;
    requires transitive lettuce.core;
    // Lettuce is an automatic module: it cannot state what it needs, and named modules that nobody requires are not
    // resolved.
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver.dns;
    requires io.netty.transport;
    requires reactor.core;

    exports dev.weir.redis;
}
