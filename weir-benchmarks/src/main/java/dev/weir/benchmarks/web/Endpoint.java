package dev.weir.benchmarks.web;

import dev.weir.benchmarks.report.FailedMeasureException;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A servlet that answers with nothing, on a free port of a container: at {@link #LIMITED} behind a filter, at {@link #EMPTY}
 * without.
 */
record Endpoint(int port, AutoCloseable container) implements AutoCloseable {
    static final String LIMITED = "/limited";
    static final String EMPTY = "/emptied"; // as long as the other

    /** Which container. */
    enum Container {
        JETTY("Jetty"),
        TOMCAT("Tomcat");

        final String title;

        Container(String title) {
            this.title = title;
        }

        Endpoint start(Filter filter) throws Exception {
            ServletContainerInitializer initializer = (types, context) -> {
                context.addServlet("empty", new Empty()).addMapping("/");
                context.addFilter("limit", filter).addMappingForUrlPatterns(null, false, LIMITED);
            };
            return this == JETTY ? jetty(initializer) : tomcat(initializer);
        }
    }

    /** Answers with nothing. */
    private static final class Empty extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setStatus(HttpServletResponse.SC_NO_CONTENT);
        }
    }

    private static Endpoint jetty(ServletContainerInitializer initializer) throws Exception {
        Server server = new Server(0);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServletContainerInitializer(initializer);
        server.setHandler(context);
        server.start();
        return new Endpoint(((ServerConnector) server.getConnectors()[0]).getLocalPort(), server::stop);
    }

    private static Endpoint tomcat(ServletContainerInitializer initializer) throws Exception {
        Path folder = Files.createTempDirectory("tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        tomcat.addContext("", folder.toString()).addServletContainerInitializer(initializer, Set.of());
        tomcat.start();
        return new Endpoint(tomcat.getConnector().getLocalPort(), () -> {
            tomcat.stop();
            tomcat.destroy();
            ExpandWar.delete(folder.toFile());
        });
    }

    @Override
    public void close() {
        FailedMeasureException.attempt("a container did not stop", container::close);
    }
}
