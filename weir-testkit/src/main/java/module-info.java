/** What tests of limiters need: a clock to turn by hand, checkers of traces, a contract that every store must pass. */
@org.jspecify.annotations.NullMarked
module dev.weir.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.weir.core;
    requires static org.junit.jupiter.api;

    exports dev.weir.testkit;
}
