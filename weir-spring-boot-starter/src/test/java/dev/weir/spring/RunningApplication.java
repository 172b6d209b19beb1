package dev.weir.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** An application on Tomcat and a free port, and a client. */
final class RunningApplication implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts the test application and these additional configurations with this YAML. */
    static RunningApplication start(String yaml, Class<?>... configurations) {
        return start(TestApplication.class, WebApplicationType.SERVLET, yaml, configurations);
    }

    /** Starts the test application of WebFlux, on Reactor Netty. */
    static RunningApplication startReactive(String yaml, Class<?>... configurations) {
        return start(ReactiveApplication.class, WebApplicationType.REACTIVE, yaml, configurations);
    }

    private static RunningApplication start(
            Class<?> application, WebApplicationType type, String yaml, Class<?>... configurations) {
        SpringApplicationBuilder builder = new SpringApplicationBuilder(application);
        return new RunningApplication(builder.sources(configurations)
                .web(type)
                .properties(
                        "server.port=0",
                        "spring.cloud.gateway.server.webflux.enabled=false", // not with Tomcat
                        "spring.cloud.gateway.server.webflux.redis.enabled=false",
                        "spring.main.banner-mode=off")
                .initializers(context -> addYaml(context, yaml))
                .run());
    }

    private static void addYaml(ConfigurableApplicationContext context, String yaml) {
        try {
            ByteArrayResource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8));
            new YamlPropertySourceLoader()
                    .load("test", resource)
                    .forEach(context.getEnvironment().getPropertySources()::addFirst);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    <T> Collection<T> beans(Class<T> type) {
        return context.getBeansOfType(type).values();
    }

    /** Returns a builder of a request. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Returns a builder of a request of a user. */
    HttpRequest.Builder as(String user, String path) {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return request(path).header("Authorization", "Basic " + credentials);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    int status(HttpRequest.Builder request) throws Exception {
        return send(request).statusCode();
    }

    int status(String path) throws Exception {
        return status(request(path));
    }

    @Override
    public void close() {
        context.close();
    }
}
