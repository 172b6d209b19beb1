package dev.weir.server.live;

import io.vertx.core.json.JsonObject;

/** The state of the server except its decisions. Thread-safe. */
public interface ServerState {

    /** {@return the server, its store and its configuration in force, as the first event of a stream shows them} */
    JsonObject json();

    /** {@return a number that changes with the configuration in force or its problems} */
    int version();
}
