package dev.weir.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The URIs of servers, and of clusters, which the Redis client has none of. */
final class RedisUris {
    private static final String CLUSTER = "redis-cluster://";
    private static final String TLS_CLUSTER = "rediss-cluster://";
    private static final Pattern SEVERAL_AT = Pattern.compile("[^/]*//[^/?#]*@[^/?#]*@.*");
    private static final Pattern WITH_PORT = Pattern.compile("(?<host>[^:]+):(?<port>[0-9]{1,5})");

    private RedisUris() {}

    /**
     * Checks a URI.
     *
     * @return the URI
     * @throws IllegalArgumentException if it is not valid
     */
    static String checked(String uri) {
        Objects.requireNonNull(uri, "uri must not be null");
        try {
            if (SEVERAL_AT.matcher(uri).matches()) { // the client would read all nodes but the last one as a password
                throw new IllegalArgumentException("several @");
            }
            if (isCluster(uri)) {
                List<RedisURI> unused = ofCluster(uri);
            } else {
                RedisURI parsed = ofServer(uri);
                if (parsed.getSocket() != null) { // it needs native libraries
                    throw new IllegalArgumentException("sockets of files");
                }
                if (parsed.getSentinels().isEmpty()) {
                    checkHost(parsed);
                }
            }
            return uri;
        } catch (IllegalArgumentException | NullPointerException unreadable) {
            throw new IllegalArgumentException( // without the cause, which shows the password
                    "uri must be like redis://host:6379, rediss://, redis-sentinel://host:26379/0#name or"
                            + " redis-cluster://host:7000,host:7001; it is none of these"
                            + (uri.contains("@")
                                    ? "; write a password once, before all hosts, and percent-encode its special characters,"
                                            + " such as %40 for @"
                                    : ""));
        }
    }

    /**
     * Checks the host and the port of a single server, as the client does those of a sentinel or a node. A port that is not a number
     * would be read as a part of the host; an IPv6 address has at least two colons.
     */
    private static void checkHost(RedisURI server) {
        String host = server.getHost();
        if (host == null
                || host.isEmpty()
                || host.chars().filter(c -> c == ':').count() == 1
                || server.getPort() > 65535) {
            throw new IllegalArgumentException("host");
        }
    }

    /**
     * Returns the URI of a server, or of its sentinels. The client reads the port as a part of the host if that is no valid name of
     * one, such as {@code my_redis}, which containers have nevertheless.
     */
    static RedisURI ofServer(String uri) {
        RedisURI server = RedisURI.create(uri);
        Matcher withPort = WITH_PORT.matcher(server.getHost() == null ? "" : server.getHost());
        if (withPort.matches()) {
            server.setHost(withPort.group("host"));
            server.setPort(Integer.parseInt(withPort.group("port")));
        }
        return server;
    }

    /** Returns the host and the port of a server, without the secrets of the URI. */
    static String address(RedisURI server) {
        return server.getHost() + ":" + server.getPort();
    }

    static boolean isCluster(String uri) {
        return uri.startsWith(CLUSTER) || uri.startsWith(TLS_CLUSTER);
    }

    /** Returns the URI of each node of a cluster that the URI names. */
    static List<RedisURI> ofCluster(String uri) {
        String scheme = uri.startsWith(TLS_CLUSTER) ? "rediss://" : "redis://";
        return RedisClusterURIUtil.toRedisURIs(URI.create(scheme + uri.substring(uri.indexOf("//") + 2)));
    }
}
