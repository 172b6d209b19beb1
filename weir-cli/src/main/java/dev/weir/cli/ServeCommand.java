package dev.weir.cli;

import dev.weir.cli.terminal.Shell;
import dev.weir.cli.terminal.Text;
import dev.weir.http.ClientAddress;
import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import dev.weir.server.config.ConfigurationException;
import dev.weir.server.config.SecretFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir serve}: the server. */
@Command(
        name = "serve",
        sortOptions = false,
        header = {"Limit requests for Envoy, nginx and others, over gRPC and HTTP.", ""},
        description = {
            "",
            "Decides in memory, or on Redis for any number of servers. Reads configuration files of envoyproxy/ratelimit, and "
                    + "follows their changes.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  weir serve",
            "  weir serve --config limits.yaml --redis redis://localhost:6379",
            "  weir serve --config limits.yaml --check",
            "",
            "Exit codes:",
            "  0  stopped by a signal, all requests answered; or checked, no problem",
            "  2  wrong usage, a configuration with problems, or a port in use"
        })
final class ServeCommand implements Subcommand {
    private static final String REFUSE_RENEGOTIATION = "jdk.tls.rejectClientInitiatedRenegotiation";

    /** Of a server that listens on all addresses, the one for programs on this machine, which need no token there. */
    private static final Map<String, String> LOOPBACK = Map.of("0.0.0.0", "127.0.0.1", "::", "::1", "[::]", "::1");

    private static final System.Logger LOG = System.getLogger("dev.weir.server");

    private final Shell shell;

    @Option(
            names = "--config",
            paramLabel = "PATH",
            description = "A file, or a directory of .yaml files. Default: an example.")
    private @Nullable Path config;

    @Option(names = "--check", description = "Check the configuration, report all problems, and stop.")
    private boolean check;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "The address to listen on; 0.0.0.0 is all. Default: 127.0.0.1.")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "N",
            converter = Converters.ToPort.class,
            description = "The port of HTTP. Default: 8080.")
    private @Nullable Integer port;

    @Option(
            names = "--grpc-port",
            paramLabel = "N",
            converter = Converters.ToPort.class,
            description = "The port of Envoy's rate limit service. Default: 8081.")
    private @Nullable Integer grpcPort;

    @Option(names = "--redis", paramLabel = "URI", description = "Keep the state on Redis instead of in memory.")
    private @Nullable String redis;

    @Option(
            names = "--redis-file",
            paramLabel = "FILE",
            description = "A file with the URI of Redis, whose password is then not in the list of processes.")
    private @Nullable Path redisFile;

    @Option(
            names = "--redis-prefix",
            paramLabel = "TEXT",
            description = "How the names of all keys on Redis begin, before a colon. Default: weir.")
    private @Nullable String redisPrefix;

    @Option(
            names = "--redis-timeout",
            paramLabel = "DURATION",
            description = "How long a decision waits for Redis. Default: 15ms, since Envoy waits for 20.")
    private @Nullable Duration redisTimeout;

    @Option(
            names = "--when-redis-fails",
            paramLabel = "POLICY",
            description =
                    "open allows, closed denies, local counts in this process, local(0.5) with half of each limit, error "
                            + "answers unavailable. "
                            + "Default: local.")
    private Converters.@Nullable WhenRedisFails whenRedisFails;

    @Option(
            names = "--max-keys",
            paramLabel = "N",
            converter = Converters.ToMaxKeys.class,
            description =
                    "In memory, how many keys are counted; new ones are denied while there are more. Default: one for each "
                            + "KiB of the heap, at most 1000000.")
    private @Nullable Integer maxKeys;

    @Option(
            names = "--hash-keys",
            paramLabel = "FILE",
            description = "Store keys on Redis as their HMAC, with the secret in this file.")
    private @Nullable Path secretFile;

    @Option(names = "--hash-shown-keys", description = "Show keys to operators as their HMAC.")
    private boolean hashShownKeys;

    @Option(
            names = "--compat",
            paramLabel = "fixed-window",
            converter = Converters.ToCompatibility.class,
            description = "Decide as envoyproxy/ratelimit does: in fixed windows, each descriptor by itself.")
    private @Nullable String compat;

    @Option(
            names = "--merge-domains",
            description = "Put the descriptors of files with the same domain together; else a domain is in one file.")
    private boolean mergeDomains;

    @Option(names = "--shadow", description = "Count, and deny nothing.")
    private boolean shadow;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "A file with the token that calls need which show or change keys; its changes are followed. Without it, only "
                            + "programs on this machine may make them.")
    private @Nullable Path tokenFile;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Serve with TLS: the certificate, in PEM.")
    private @Nullable Path tlsCertificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key, in PEM (PKCS#8).")
    private @Nullable Path tlsKey;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "Require certificates of clients that one of these has issued, in PEM.")
    private @Nullable Path tlsClients;

    @Option(
            names = "--trust",
            paramLabel = "NETWORK",
            description =
                    "A proxy, or a network of proxies, whose X-Forwarded-For names the client; may be given more than "
                            + "once. Default: this machine.")
    private @Nullable List<String> trusted;

    @Option(
            names = "--log",
            paramLabel = "json|text",
            converter = Converters.ToLogFormat.class,
            description = "The log on stderr: an event in each line as JSON, or as text. Default: text.")
    private String log = "text";

    @Option(names = "--train", hidden = true, description = "Start and stop, for an archive of classes.")
    private boolean train;

    ServeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public int run() throws IOException {
        ServerSettings settings = settings();
        try {
            if (check) {
                shell.answer(Text.visible(named() + ": " + WeirServer.check(settings)) + "\n");
            } else {
                serve(settings);
            }
            return DONE;
        } catch (ConfigurationException e) {
            String.valueOf(e.getMessage())
                    .lines()
                    .forEach(problem -> shell.note("weir: " + Text.visible(problem) + "\n"));
            return FAILED;
        }
    }

    private String named() {
        return config == null ? "the example" : config.toString();
    }

    private ServerSettings settings() {
        ServerSettings settings = new ServerSettings().host(host);
        checkStore();
        Misuse.set("--config", config, settings::configuration);
        Misuse.set("--port", port, settings::port);
        Misuse.set("--grpc-port", grpcPort, settings::grpcPort);
        Misuse.set("--redis", redis, settings::redis);
        Misuse.set("--redis-file", redisFile, file -> settings.redis(SecretFile.read(file)));
        Misuse.set("--redis-prefix", redisPrefix, settings::redisPrefix);
        Misuse.set("--redis-timeout", redisTimeout, settings::storeTimeout);
        Misuse.set("--when-redis-fails", whenRedisFails, given -> settings.whenStoreFails(given.policy()));
        Misuse.set("--max-keys", maxKeys, settings::maxKeys);
        Misuse.set("--hash-keys", secretFile, file -> settings.hashKeys(SecretFile.read(file)));
        Misuse.set("--token-file", tokenFile, settings::adminToken);
        Misuse.set(
                "--trust",
                trusted,
                proxies -> settings.clientAddress(ClientAddress.ofXForwardedFor(proxies.toArray(String[]::new))));
        if (compat != null) {
            settings.compatible();
        }
        if (mergeDomains) {
            settings.mergeDomains();
        }
        if (shadow) {
            settings.shadow();
        }
        if (hashShownKeys) {
            settings.hashShownKeys();
        }
        if (tlsCertificate != null || tlsKey != null || tlsClients != null) {
            setTls(settings);
        }
        return settings;
    }

    /** Refuses options that do not fit where the state is kept. */
    private void checkStore() {
        if (redis != null && redisFile != null) {
            throw new CommandFailure("the URI of Redis is either in --redis or in --redis-file");
        }
        boolean onRedis = isOnRedis();
        needs(onRedis, "--when-redis-fails", whenRedisFails, "--redis or --redis-file");
        needs(onRedis, "--redis-prefix", redisPrefix, "--redis or --redis-file");
        needs(onRedis, "--redis-timeout", redisTimeout, "--redis or --redis-file");
        needs(onRedis || hashShownKeys, "--hash-keys", secretFile, "--redis, --redis-file or --hash-shown-keys");
        if (onRedis && maxKeys != null) {
            throw new CommandFailure(
                    "--max-keys is for keys in memory; with --redis or --redis-file they are on Redis");
        }
    }

    private boolean isOnRedis() {
        return redis != null || redisFile != null;
    }

    private static void needs(boolean fulfilled, String option, @Nullable Object value, String needed) {
        if (value != null && !fulfilled) {
            throw new CommandFailure(option + " needs " + needed);
        }
    }

    private void setTls(ServerSettings settings) {
        if (tlsCertificate == null || tlsKey == null) {
            throw new CommandFailure("TLS needs both --tls-cert and --tls-key");
        }
        if (System.getProperty(REFUSE_RENEGOTIATION) == null) {
            System.setProperty(REFUSE_RENEGOTIATION, "true"); // a handshake costs a server much more than its client
        }
        try {
            settings.tls(tlsCertificate, tlsKey, tlsClients);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    /** Runs until a signal stops the process. */
    private void serve(ServerSettings settings) throws IOException {
        ServerLog.configure(log.equals("json"));
        try (WeirServer server = start(settings)) {
            if (train) {
                return;
            }
            CountDownLatch stopped = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, stopped), "weir-stop"));
            announce(server);
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes where the server is. It serves, too, if stdout is closed, or is a file on a full disk. */
    private void announce(WeirServer server) {
        try {
            shell.answer(welcome(server));
        } catch (IOException failure) {
            LOG.log(Level.WARNING, "where the server listens could not be written to stdout: " + failure.getMessage());
        }
    }

    private WeirServer start(ServerSettings settings) {
        try {
            return WeirServer.start(settings);
        } catch (ConfigurationException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    /** A process that a signal stops exits with the number of the signal; a server that has answered all requests is done. */
    private static void stop(WeirServer server, CountDownLatch stopped) {
        server.close();
        stopped.countDown();
        Runtime.getRuntime().halt(DONE);
    }

    private String welcome(WeirServer server) {
        String scheme = tlsCertificate == null ? "http://" : "https://";
        String http = scheme + bracketed(host) + ":" + server.port();
        String local = scheme + bracketed(LOOPBACK.getOrDefault(host, host)) + ":" + server.port();
        return "weir: ready, " + (isOnRedis() ? "on Redis" : "in memory") + ", with " + Text.visible(named()) + "\n"
                + "  Dashboard  " + local + "/\n"
                + "  HTTP       " + http + "  (/metrics, /healthz, /readyz, /openapi.json)\n"
                + "  Envoy      " + bracketed(host) + ":" + server.grpcPort() + "  (rate limit service v3)\n"
                + "  Try        curl -i '" + local + "/v1/decide' -d '{\"key\":\"alice\",\"limits\":[\"3/1m\"]}'\n";
    }

    private static String bracketed(String host) {
        return host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]";
    }
}
