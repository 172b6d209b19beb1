package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.EnumSet;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;

/** The filter of README.md, which is a region of this class, in a container. */
class FilterPageTest {
    private static void register(ServletContext servletContext) {
        // region
        RateLimiter perClient =
                RateLimiter.builder().name("api").limit("100/1m").build();
        ClientAddress address = ClientAddress.ofXForwardedFor("10.0.0.0/8"); // only your proxies are believed

        Filter filter = RateLimitFilter.builder()
                // before it denies, it holds a request for this time, without a thread
                .rule(perClient, RateLimitFilter.clientAddress(address), Duration.ofMillis(500))
                .build();
        FilterRegistration.Dynamic limit = servletContext.addFilter("limit", filter);
        limit.setAsyncSupported(true);
        limit.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/api/*");
        // endregion
    }

    @Test
    void filter_asInReadme_deniesTheRequestBeyondTheLimit() throws Exception {
        Server server = new Server(0);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServletContainerInitializer((classes, servletContext) -> register(servletContext));
        context.addServlet(DefaultServlet.class, "/").setAsyncSupported(true);
        server.setHandler(context);
        server.start();
        try {
            int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/books"))
                    .header("X-Forwarded-For", "198.51.100.1") // not from a proxy, so it is not read
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            for (int i = 0; i < 100; i++) {
                assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(404); // there are no books
            }
            HttpResponse<String> denied = client.send(request, BodyHandlers.ofString());

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).isNotEmpty();
            assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]");
        } finally {
            server.stop();
        }
    }
}
