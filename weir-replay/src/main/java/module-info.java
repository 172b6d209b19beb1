/** Replay of access logs: reads a log into a trace and reports the decisions of limits on its requests. */
@org.jspecify.annotations.NullMarked
module dev.weir.replay {
    requires static transitive org.jspecify;
    requires transitive dev.weir.core;
    requires dev.weir.testkit;
    requires com.github.weisj.jsvg;
    requires de.siegmar.fastcsv;
    requires java.desktop;
    requires tools.jackson.core;

    exports dev.weir.replay;
    exports dev.weir.replay.format;
    exports dev.weir.replay.generate;
    exports dev.weir.replay.report;
    exports dev.weir.replay.trace;
}
