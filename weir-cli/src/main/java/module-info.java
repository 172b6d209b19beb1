import org.jspecify.annotations.NullMarked;

/** The command {@code weir}. */
@NullMarked
module dev.weir.cli {
    requires de.siegmar.fastcsv;
    requires dev.weir.core;
    requires dev.weir.http;
    requires dev.weir.redis;
    requires dev.weir.replay;
    requires dev.weir.server;
    requires dev.weir.testkit;
    requires info.picocli;
    requires io.netty.common;
    requires io.vertx.core;
    requires java.net.http;
    requires java.logging;
    requires static org.jspecify;
    requires tools.jackson.core;

    opens dev.weir.cli to
            info.picocli;
}
