/** Tools for tests of limiters: a manual time source, assertions, checkers of traces, and the contract of stores. */
@org.jspecify.annotations.NullMarked
module dev.weir.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.weir.core;
    requires static org.assertj.core;
    requires static org.junit.jupiter.api;

    exports dev.weir.testkit;
}
