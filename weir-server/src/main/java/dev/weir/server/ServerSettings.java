package dev.weir.server;

import dev.weir.FailurePolicy;
import dev.weir.http.ClientAddress;
import dev.weir.redis.RedisStore;
import dev.weir.server.config.Token;
import dev.weir.server.net.MemoryBounds;
import dev.weir.server.net.SocketSettings;
import dev.weir.server.net.TlsMaterial;
import dev.weir.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of a server. Everything has a default. Setters return these settings. Not thread-safe. */
public final class ServerSettings {
    private static final int MAX_PORT = 65_535;

    @Nullable
    Path configuration;

    String host = "127.0.0.1";
    int port = 8080;
    int grpcPort = 8081;

    @Nullable
    Token token;

    @Nullable
    TlsMaterial tls;

    ClientAddress clientAddress = ClientAddress.ofXForwardedFor("127.0.0.0/8", "::1");

    @Nullable
    String redis;

    @Nullable
    String keySecret;

    String redisPrefix = "weir";
    boolean hashShownKeys;
    Duration storeTimeout = Duration.ofMillis(15);
    final MemoryStore.Builder memory = MemoryStore.builder();
    long requestMillis = 10_000; // until a whole request has arrived; shorter in tests
    long keepAliveMillis = 20_000; // shorter in tests
    long openRequestBytes =
            MemoryBounds.openRequestBytes(); // of the requests of an event loop that are not complete; less in tests
    long stopGraceMillis = 300; // longer in tests
    boolean fixedWindow;
    boolean mergeDomains;
    boolean shadow;

    @Nullable
    FailurePolicy whenStoreFails = FailurePolicy.local(1);

    /**
     * Sets the configuration.
     *
     * @param path a file, or a directory of files; by default an example
     */
    public ServerSettings configuration(Path path) {
        this.configuration = Objects.requireNonNull(path, "path must not be null");
        return this;
    }

    /**
     * Sets the address to listen on.
     *
     * @param host an address or a host name; by default the loopback address
     */
    public ServerSettings host(String host) {
        this.host = Objects.requireNonNull(host, "host must not be null");
        return this;
    }

    /**
     * Sets the port of HTTP.
     *
     * @param port from 0, which stands for any free one, to 65,535; by default 8080
     */
    public ServerSettings port(int port) {
        this.port = checkPort("port", port);
        return this;
    }

    private static int checkPort(String name, int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException(name + " must be from 0 to 65,535, was " + port);
        }
        return port;
    }

    /**
     * Sets the token that calls need which show or change keys. The file is watched, unless it is a pipe: a changed token replaces
     * the former one, if it can be used.
     *
     * @param file contains the token, one line of ASCII; by default there is none, and only programs on the same machine may make
     *     such calls
     * @throws IllegalArgumentException if there is no token in the file
     */
    public ServerSettings adminToken(Path file) {
        this.token = Token.read(file);
        return this;
    }

    /**
     * Serves both ports with TLS. The files, in PEM, are watched, unless one is a pipe: new connections get what they contain, if it
     * can be used.
     *
     * @param certificate the server's certificate, whose key is RSA or EC, and those that issued it
     * @param key its private key, in PKCS#8
     * @param clients the certificates that issue those of clients, which then need one; null if clients need none
     * @throws IllegalArgumentException if a file cannot be read or used
     */
    public ServerSettings tls(Path certificate, Path key, @Nullable Path clients) {
        TlsMaterial material = TlsMaterial.read(certificate, key, clients);
        material.check();
        this.tls = material;
        return this;
    }

    /**
     * Sets how the address of a client is found, which is the key of checks that name none.
     *
     * @param address by default {@code X-Forwarded-For} as proxies on this machine set it
     */
    public ServerSettings clientAddress(ClientAddress address) {
        this.clientAddress = Objects.requireNonNull(address, "address must not be null");
        return this;
    }

    /**
     * Sets the port of Envoy's service.
     *
     * @param port from 0, which stands for any free one, to 65,535; by default 8081
     */
    public ServerSettings grpcPort(int port) {
        this.grpcPort = checkPort("grpcPort", port);
        return this;
    }

    /**
     * Keeps the state on Redis.
     *
     * @param uri see {@link dev.weir.redis.RedisStore#builder}; by default the state is in memory
     * @throws IllegalArgumentException if the URI cannot be read
     */
    public ServerSettings redis(String uri) {
        Objects.requireNonNull(RedisStore.builder(uri)); // reads the URI
        this.redis = uri;
        return this;
    }

    /**
     * Sets the prefix of all names of keys on Redis. Servers and applications that share state have the same.
     *
     * @param prefix see {@link RedisStore.Builder#prefix}; by default {@code weir}
     */
    public ServerSettings redisPrefix(String prefix) {
        Objects.requireNonNull(RedisStore.builder("redis://localhost").prefix(prefix)); // checks it
        this.redisPrefix = prefix;
        return this;
    }

    /**
     * Bounds the keys that are counted in memory; new ones are denied while there are more.
     *
     * @param maxKeys at least 1; the default is that of {@link MemoryStore.Builder#maxKeys}
     */
    public ServerSettings maxKeys(int maxKeys) {
        memory.maxKeys(maxKeys);
        return this;
    }

    /**
     * Stores keys on Redis as their HMAC, for keys that are personal data. All servers need the same secret.
     *
     * @param secret the secret of the HMAC, not empty; by default keys are stored as they are
     */
    public ServerSettings hashKeys(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("secret must not be empty");
        }
        this.keySecret = secret;
        return this;
    }

    /**
     * Shows keys to operators as their HMAC, for keys that are personal data: in the stream of events, in lists and in the state of
     * a key. The secret is that of {@link #hashKeys}, or a new one for each start.
     */
    public ServerSettings hashShownKeys() {
        this.hashShownKeys = true;
        return this;
    }

    /**
     * Sets how long a decision waits for Redis.
     *
     * @param timeout from 1 ms to 1 hour; by default 15 ms, since Envoy waits for 20
     */
    public ServerSettings storeTimeout(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("timeout must be from 1 ms to 1 hour, was " + timeout);
        }
        this.storeTimeout = timeout;
        return this;
    }

    /**
     * Decides as envoyproxy/ratelimit does: limits without an algorithm are fixed windows, and each descriptor is counted whatever
     * the others of the request say.
     */
    public ServerSettings compatible() {
        this.fixedWindow = true;
        return this;
    }

    /**
     * Puts the descriptors of files with the same domain together, in the order of the names of the files; by default a domain that
     * occurs twice is a problem.
     */
    public ServerSettings mergeDomains() {
        this.mergeDomains = true;
        return this;
    }

    /** Counts, and denies no request. */
    public ServerSettings shadow() {
        this.shadow = true;
        return this;
    }

    /**
     * Sets what decides while Redis does not answer.
     *
     * @param policy a policy, or null to answer that the service is unavailable; by default {@link FailurePolicy#local local(1)}
     */
    public ServerSettings whenStoreFails(@Nullable FailurePolicy policy) {
        this.whenStoreFails = policy;
        return this;
    }

    /** Returns whether decisions without the store are by the use of a key, too: with the local policy, which counts. */
    boolean policyCounts() {
        return redis != null
                && whenStoreFails != null
                && whenStoreFails.toString().startsWith("local");
    }

    SocketSettings http() {
        return socket(port);
    }

    SocketSettings grpc() {
        return socket(grpcPort);
    }

    private SocketSettings socket(int port) {
        return new SocketSettings(host, port, requestMillis, keepAliveMillis, stopGraceMillis, openRequestBytes);
    }
}
