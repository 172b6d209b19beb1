/** An exact rate limiter: the sliding log at the cost of a counter, and five more algorithms. */
@org.jspecify.annotations.NullMarked
module dev.weir.core {
    requires static transitive org.jspecify;

    exports dev.weir;
    exports dev.weir.store;
    exports dev.weir.internal to
            dev.weir.redis,
            dev.weir.http,
            dev.weir.spring,
            dev.weir.server,
            dev.weir.cli;
}
