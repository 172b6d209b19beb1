/** Weir's meters and observations. */
@org.jspecify.annotations.NullMarked
module dev.weir.micrometer {
    requires transitive dev.weir.core;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires static org.jspecify;

    exports dev.weir.micrometer;
}
