package dev.weir.spring;

import dev.weir.TimeSource;
import dev.weir.redis.RedisStore;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.store.StoreListener;
import io.lettuce.core.resource.ClientResources;
import java.lang.reflect.Field;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Builds stores on the Redis of the application's {@link LettuceConnectionFactory}. Each has a client of its own that uses the
 * threads of the factory's, not that client itself: the factory shuts it down before the store is closed, and makes another one
 * after a pause. Loaded only where weir-redis and Spring Data Redis are on the class path.
 */
final class LettuceStores {
    private LettuceStores() {}

    /**
     * Returns a builder of a store with all settings.
     *
     * @throws InvalidConfigurationException if the application has no such factory, or one that connects to a Unix socket, to a list
     *     of replicas, or to sentinels with other credentials than the servers, or that has a provider of credentials
     */
    static RedisStore.Builder builder(
            WeirProperties.Redis redis, List<StoreListener> listeners, TimeSource timeSource, BeanFactory beans) {
        // The type of its bean may be the interface until it is created.
        LettuceConnectionFactory factory =
                beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique()
                                instanceof LettuceConnectionFactory only
                        ? only
                        : beans.getBeanProvider(LettuceConnectionFactory.class).getIfAvailable();
        if (factory == null) {
            throw problem("must be set if weir.store is redis, because there is no LettuceConnectionFactory");
        }
        RedisStore.Builder builder = RedisStores.builder(uri(factory), redis, listeners, timeSource);
        ClientResources resources = factory.getClientResources();
        if (resources != null) {
            builder.clientResources(resources);
        }
        return builder;
    }

    /** Returns the URI of the servers that a factory connects to. */
    static String uri(LettuceConnectionFactory factory) {
        if (factory.getClientConfiguration()
                .getRedisCredentialsProviderFactory()
                .isPresent()) {
            throw problem("must be set, because the LettuceConnectionFactory has a RedisCredentialsProviderFactory");
        }
        String tls = factory.isUseSsl() ? "s" : "";
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        if (cluster != null) {
            return "redis" + tls + "-cluster://" + user(cluster.getUsername(), cluster.getPassword())
                    + hosts(cluster.getClusterNodes());
        }
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        if (sentinel != null) {
            RedisPassword password = sentinel.getSentinelPassword();
            if (sentinel.getSentinelUsername() != null
                    || (password.isPresent() && !password.equals(sentinel.getPassword()))) {
                throw problem(
                        "the sentinels of the LettuceConnectionFactory must have no credentials or the password of"
                                + " the servers");
            }
            NamedNode master = Objects.requireNonNull(sentinel.getMaster()); // Spring Boot 4.0 has no getRequiredMaster
            return "redis" + tls + "-sentinel://" + user(sentinel.getUsername(), sentinel.getPassword())
                    + hosts(sentinel.getSentinels()) + "/" + sentinel.getDatabase() + "#"
                    + encoded(String.valueOf(master.getName()));
        }
        if (factory.getSocketConfiguration() != null) {
            throw problem("must be set, because the LettuceConnectionFactory connects to a Unix socket");
        }
        if (hasReplicas(factory)) {
            throw problem("must be set, because the LettuceConnectionFactory connects to a list of replicas");
        }
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        return "redis" + tls + "://" + user(server.getUsername(), server.getPassword())
                + host(server.getHostName(), server.getPort()) + "/" + server.getDatabase();
    }

    /**
     * Returns whether a factory connects to a list of replicas. It has no getter for them, and that for a server then returns
     * localhost.
     */
    private static boolean hasReplicas(LettuceConnectionFactory factory) {
        Field field = ReflectionUtils.findField(LettuceConnectionFactory.class, null, RedisConfiguration.class);
        if (field == null) {
            return false;
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, factory) instanceof RedisConfiguration.StaticMasterReplicaConfiguration;
    }

    private static String user(@Nullable String name, RedisPassword password) {
        if (!password.isPresent()) {
            return "";
        }
        return (name == null ? "" : encoded(name)) + ":" + encoded(new String(password.get())) + "@";
    }

    private static String hosts(Collection<RedisNode> nodes) {
        return nodes.stream()
                .map(node -> host(String.valueOf(node.getHost()), node.getRequiredPort()))
                .collect(Collectors.joining(","));
    }

    private static String host(String name, int port) {
        return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static InvalidConfigurationException problem(String problem) {
        return new InvalidConfigurationException(List.of("weir.redis.uri: " + problem));
    }
}
