package dev.weir.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceVersion;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.Arrays;

/** What differs between the versions of Lettuce, from 6.6 on. */
final class LettuceCompatibility {
    private static final String SINCE_7 = "io.lettuce.core.MaintNotificationsConfig";

    private LettuceCompatibility() {}

    /**
     * Checks the version of Lettuce. Older ones cannot be told not to repeat requests after a reconnect.
     *
     * @throws IllegalStateException if it is too old
     */
    static void check() {
        check(Arrays.stream(ClientOptions.class.getMethods())
                .anyMatch(method -> method.getName().equals("getReplayFilter")));
    }

    static void check(boolean supported) {
        if (!supported) {
            throw new IllegalStateException("Weir needs Lettuce 6.6 or newer, found " + version());
        }
    }

    /** Returns the version of Lettuce without the commit; its jar states it. */
    private static String version() {
        try {
            return String.valueOf(LettuceVersion.getVersion()).replaceAll("/.*", "");
        } catch (NoClassDefFoundError old) {
            return "an older one";
        }
    }

    /** Turns off a protocol that Weir does not need, in versions that have it. */
    static void disableMaintenanceNotifications(ClientOptions.Builder options) {
        try {
            Class.forName(SINCE_7, false, RedisClient.class.getClassLoader());
        } catch (ClassNotFoundException lettuce6) {
            return;
        }
        Since7.disableMaintenanceNotifications(options);
    }

    /**
     * Checks the version of Lettuce, that a client reconnects to nodes, and that it does not repeat requests that may have run.
     *
     * @return the client
     * @throws IllegalStateException if the version is too old
     * @throws IllegalArgumentException if it does not reconnect, or repeats requests
     */
    static RedisClusterClient checked(RedisClusterClient client) {
        check();
        ClientOptions options = client.getOptions();
        if (!options.isAutoReconnect()) {
            throw new IllegalArgumentException(
                    "client must reconnect to a node whose connection was lost; set the option autoReconnect(true)");
        }
        Command<byte[], byte[], String> script =
                new Command<>(CommandType.EVALSHA, new StatusOutput<>(ByteArrayCodec.INSTANCE));
        if (!options.getReplayFilter().test(script)) {
            throw new IllegalArgumentException(
                    "client must not repeat requests after a reconnect, which would count them twice; set the option"
                            + " replayFilter(command -> true)");
        }
        return client;
    }

    /** Loaded with Lettuce 7 only. */
    private static final class Since7 {
        static void disableMaintenanceNotifications(ClientOptions.Builder options) {
            options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
        }
    }
}
