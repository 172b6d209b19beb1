package dev.weir.server;

import dev.weir.server.config.LiveConfiguration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/** What the server is: its name, its store and the configuration in force. Thread-safe. */
final class ServerDescription {
    private static final int HASH_CHARS = 12;

    private final ServerSettings settings;
    private final LiveConfiguration configuration;
    private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private volatile int port;

    ServerDescription(ServerSettings settings, LiveConfiguration configuration) {
        this.settings = settings;
        this.configuration = configuration;
    }

    /** Sets the port of HTTP, which the settings may leave open. */
    void listening(int port) {
        this.port = port;
    }

    /** Returns the server, its store and its configuration in force, as the first event of a stream shows them. */
    JsonObject json() {
        return new JsonObject()
                .put(
                        "server",
                        new JsonObject()
                                .put("name", name())
                                .put("version", version())
                                .put("started", started.toString())
                                .put("shadow", settings.shadow)
                                .put("compat", settings.fixedWindow))
                .put("store", store())
                .put("configuration", configuration());
    }

    /** Containers have their name in the environment. */
    private String name() {
        return Objects.requireNonNullElse(System.getenv("HOSTNAME"), settings.host + ":" + port);
    }

    /** Returns the version in the jar's manifest. */
    static String version() {
        return Objects.requireNonNullElse(
                ServerDescription.class.getPackage().getImplementationVersion(), "(built without a jar)");
    }

    private JsonObject store() {
        JsonObject store = new JsonObject().put("kind", settings.redis == null ? "memory" : "redis");
        if (settings.redis == null) {
            return store.putNull("deadlineMillis").putNull("failurePolicy");
        }
        return store.put("deadlineMillis", settings.storeTimeout.toMillis())
                .put("failurePolicy", settings.whenStoreFails == null ? "error" : settings.whenStoreFails.toString());
    }

    private JsonObject configuration() {
        LiveConfiguration.InForce inForce = configuration.inForce();
        JsonArray files = new JsonArray();
        inForce.digests()
                .forEach((file, digest) -> files.add(new JsonObject()
                        .put("name", String.valueOf(file.getFileName()))
                        .put("sha256", digest.substring(0, HASH_CHARS))));
        return new JsonObject()
                .put("files", files)
                .put("loaded", inForce.since().truncatedTo(ChronoUnit.SECONDS).toString())
                .put("problems", new JsonArray(configuration.problems()));
    }
}
