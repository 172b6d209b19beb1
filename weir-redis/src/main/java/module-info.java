/** Weir's state on Redis. */
@org.jspecify.annotations.NullMarked
module dev.weir.redis {
    requires transitive dev.weir.core;
    requires static org.jspecify;
    requires transitive lettuce.core;

    exports dev.weir.redis;
}
