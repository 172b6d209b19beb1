package dev.weir.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A servlet container on a free port, with one filter for all dispatcher types and one servlet for all paths, which is also the
 * error page of the statuses 429 and 500.
 */
interface Container {
    int port();

    void stop() throws Exception;

    /** The containers. */
    enum Kind {
        JETTY,
        TOMCAT;

        Container start(Filter filter, Servlet servlet, boolean async) throws Exception {
            return this == JETTY ? jetty(filter, servlet, async) : tomcat(filter, servlet, async);
        }
    }

    private static Container jetty(Filter filter, Servlet servlet, boolean async) throws Exception {
        Server server = new Server(0);
        ServletContextHandler context = new ServletContextHandler("/");
        FilterHolder filters = new FilterHolder(filter);
        filters.setAsyncSupported(async);
        context.addFilter(filters, "/*", EnumSet.allOf(DispatcherType.class));
        ServletHolder servlets = new ServletHolder(servlet);
        servlets.setAsyncSupported(async);
        context.addServlet(servlets, "/*");
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(429, "/error");
        errors.addErrorPage(500, "/error");
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        return new Container() {
            @Override
            public int port() {
                return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
            }

            @Override
            public void stop() throws Exception {
                server.stop();
            }
        };
    }

    private static Container tomcat(Filter filter, Servlet servlet, boolean async) throws Exception {
        Path folder = Files.createTempDirectory("tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        Context context = tomcat.addContext("", folder.toString());
        FilterDef definition = new FilterDef();
        definition.setFilterName("limit");
        definition.setFilter(filter);
        definition.setAsyncSupported(Boolean.toString(async));
        context.addFilterDef(definition);
        FilterMap map = new FilterMap();
        map.setFilterName("limit");
        map.addURLPattern("/*");
        for (DispatcherType type : DispatcherType.values()) {
            map.setDispatcher(type.name());
        }
        context.addFilterMap(map);
        Wrapper wrapper = Tomcat.addServlet(context, "servlet", servlet);
        wrapper.setAsyncSupported(async);
        wrapper.addMapping("/");
        for (int status : new int[] {429, 500}) {
            ErrorPage page = new ErrorPage();
            page.setErrorCode(status);
            page.setLocation("/error");
            context.addErrorPage(page);
        }
        tomcat.start();
        return new Container() {
            @Override
            public int port() {
                return tomcat.getConnector().getLocalPort();
            }

            @Override
            public void stop() throws Exception {
                tomcat.stop();
                tomcat.destroy();
                ExpandWar.delete(folder.toFile());
            }
        };
    }
}
