/** Traces in, what would have been out. */
@org.jspecify.annotations.NullMarked
module dev.weir.replay {
    requires static transitive org.jspecify;
    requires transitive dev.weir.core;
    requires dev.weir.testkit;
    requires de.siegmar.fastcsv;
    requires tools.jackson.core;

    exports dev.weir.replay;
}
