package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What filters before and behind the rate limit filter see of a request that is held. */
class HeldRequestTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<DispatcherType> before = new CopyOnWriteArrayList<>();
    private final List<DispatcherType> behind = new CopyOnWriteArrayList<>();
    private final RateLimiter limiter =
            RateLimiter.builder().limit("1/10s").timeSource(time).build();
    private final RateLimitFilter limit = RateLimitFilter.builder()
            .rule(limiter, request -> "all", Duration.ofSeconds(25))
            .build();

    /** Takes the method from the parameter {@code method}, when the request is received, as filters for forms do. */
    private final Filter overridingMethod = (request, response, chain) -> {
        HttpServletRequest http = (HttpServletRequest) request;
        before.add(http.getDispatcherType());
        boolean received = http.getDispatcherType() == DispatcherType.REQUEST;
        limit.doFilter(received ? new Overridden(http) : http, response, (passed, answer) -> {
            behind.add(passed.getDispatcherType());
            chain.doFilter(passed, answer);
        });
    };

    private @Nullable Container container;

    private static final class Overridden extends HttpServletRequestWrapper {
        Overridden(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getMethod() {
            return getParameter("method");
        }
    }

    /**
     * Answers with the method of the request, and with its path and the values of {@code n} if there are any. For {@code /later} and
     * {@code /here} it answers in an async dispatch of its own, for {@code /forward} in a forward.
     */
    private static final class Method extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            if (request.getRequestURI().equals("/forward")) {
                request.getRequestDispatcher("/").forward(request, response);
                return;
            }
            boolean here = request.getRequestURI().equals("/here");
            if ((here || request.getRequestURI().equals("/later")) && request.getAttribute("ready") == null) {
                request.setAttribute("ready", true);
                (here ? request.startAsync() : request.startAsync(request, response)).dispatch();
                return;
            }
            if (request.getRequestURI().equals("/timeout")) {
                AsyncContext started = request.startAsync();
                response.getWriter().write("" + started.getTimeout());
                started.complete();
                return;
            }
            response.getWriter().write(request.getMethod());
            String[] values = request.getParameterValues("n");
            if (values != null) {
                response.getWriter().write(" " + request.getRequestURI() + " " + String.join(",", values));
            }
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (container != null) {
            container.stop();
        }
    }

    private CompletableFuture<HttpResponse<String>> get(Container running, String path) {
        URI uri = URI.create("http://localhost:" + running.port() + path);
        return client.sendAsync(
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
    }

    /** Returns the body of the answer to a request that is held for 10 s. */
    private String held(Container.Kind kind, String path) throws Exception {
        Container running = kind.start(overridingMethod, new Method(), true);
        container = running;
        assertThat(get(running, "/?method=PUT").get().body()).isEqualTo("PUT");
        before.clear();
        behind.clear();
        CompletableFuture<HttpResponse<String>> answer = get(running, path);
        Await.until(() -> time.waiting() == 1);
        assertThat(behind).as("while it is held").isEmpty();
        time.advance(Duration.ofSeconds(10));
        return answer.get().body();
    }

    @ParameterizedTest
    @EnumSource
    void held_filterBehind_seesARequest(Container.Kind kind) throws Exception {
        held(kind, "/?method=DELETE");

        assertThat(behind).containsExactly(DispatcherType.REQUEST);
        assertThat(before).containsExactly(DispatcherType.REQUEST, DispatcherType.ASYNC);
    }

    @ParameterizedTest
    @EnumSource
    void held_wrappedByAFilterBefore_staysWrapped(Container.Kind kind) throws Exception {
        assertThat(held(kind, "/?method=DELETE")).isEqualTo("DELETE");
    }

    @ParameterizedTest
    @EnumSource
    void held_wrappedByAFilterBefore_hasThePathAndParametersAsSent(Container.Kind kind) throws Exception {
        assertThat(held(kind, "/a%20b%3F%C3%A9?method=DELETE&n=1&n=2")).isEqualTo("DELETE /a%20b%3F%C3%A9 1,2");
    }

    @ParameterizedTest
    @CsvSource({"JETTY, /later, DELETE", "TOMCAT, /later, DELETE", "JETTY, /here, GET", "TOMCAT, /here, GET"})
    void held_servletStartsAsync_filtersSeeAnAsyncDispatch(Container.Kind kind, String path, String method)
            throws Exception {
        assertThat(held(kind, path + "?method=DELETE")).isEqualTo(method);

        assertThat(behind).containsExactly(DispatcherType.REQUEST, DispatcherType.ASYNC);
    }

    /** Jetty would go on with the timeout of the wait. */
    @ParameterizedTest
    @EnumSource
    void held_servletStartsAsync_hasTheTimeoutOfTheContainer(Container.Kind kind) throws Exception {
        assertThat(held(kind, "/timeout?method=GET")).isEqualTo("30000");
    }

    @ParameterizedTest
    @EnumSource
    void held_servletForwards_filtersSeeAForward(Container.Kind kind) throws Exception {
        assertThat(held(kind, "/forward?method=DELETE")).isEqualTo("DELETE");

        assertThat(behind).containsExactly(DispatcherType.REQUEST, DispatcherType.FORWARD);
    }

    @ParameterizedTest
    @EnumSource
    void held_asyncCannotStart_releasesItsPermit(Container.Kind kind) throws Exception {
        Filter failing = (request, response, chain) ->
                limit.doFilter(new WithoutAsync((HttpServletRequest) request), response, chain);
        Container running = kind.start(failing, new Method(), true);
        container = running;
        assertThat(get(running, "/").get().statusCode()).isEqualTo(200);

        assertThat(get(running, "/").get().statusCode()).isEqualTo(500);

        assertThat(limiter.peek("all").retryAfter()).isEqualTo(Duration.ofSeconds(10));
    }

    /** The executor of the limiter may reject the end of the wait. The request is then not granted anything. */
    @ParameterizedTest
    @EnumSource
    void held_waitFails_doesNotContinue(Container.Kind kind) throws Exception {
        RateLimiter overloaded = RateLimiter.builder()
                .limit("1/10s")
                .timeSource(time)
                .executor(task -> {
                    throw new RejectedExecutionException("expected by a test");
                })
                .build();
        Filter filter = RateLimitFilter.builder()
                .rule(overloaded, request -> "all", Duration.ofSeconds(25))
                .build();
        Container running = kind.start(filter, new Method(), true);
        container = running;
        assertThat(get(running, "/").get().statusCode()).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> answer = get(running, "/");
        Await.until(() -> time.waiting() == 1);

        time.advance(Duration.ofSeconds(10));

        assertThat(answer.get().statusCode()).isEqualTo(500);
        assertThat(overloaded.peek("all").allowed()).isTrue();
    }

    /** The client's connection may fail while its request waits; containers report it by one of these events. */
    @ParameterizedTest
    @ValueSource(strings = {"onComplete", "onTimeout", "onError"})
    void held_endedByTheContainer_releasesItsPermit(String event) throws Exception {
        BlockingQueue<AsyncContext> contexts = new LinkedBlockingQueue<>();
        BlockingQueue<AsyncListener> listeners = new LinkedBlockingQueue<>();
        Filter observed = (request, response, chain) ->
                limit.doFilter(new Observed((HttpServletRequest) request, contexts, listeners), response, chain);
        Container running = Container.Kind.JETTY.start(observed, new Method(), true);
        container = running;
        assertThat(get(running, "/").get().statusCode()).isEqualTo(200);
        CompletableFuture<HttpResponse<String>> held = get(running, "/");
        Await.until(() -> time.waiting() == 1);
        assertThat(limiter.peek("all").retryAfter()).isEqualTo(Duration.ofSeconds(20));

        AsyncListener.class.getMethod(event, AsyncEvent.class).invoke(listeners.take(), (AsyncEvent) null);

        assertThat(limiter.peek("all").retryAfter()).isEqualTo(Duration.ofSeconds(10));
        Await.until(() -> time.waiting() == 0); // the thread that started the timer may be the one that cancels it
        AsyncContext context = contexts.take();
        assertThat(context.getTimeout()).isEqualTo(35_000); // 30 s is that of containers
        context.complete();
        assertThat(held.get().body()).isEmpty();
    }

    /** Remembers the context in which the request is held, and its listeners. */
    private static final class Observed extends HttpServletRequestWrapper {
        private final Queue<AsyncContext> contexts;
        private final Queue<AsyncListener> listeners;

        Observed(HttpServletRequest request, Queue<AsyncContext> contexts, Queue<AsyncListener> listeners) {
            super(request);
            this.contexts = contexts;
            this.listeners = listeners;
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            AsyncContext context = super.startAsync(request, response);
            contexts.add(context);
            return (AsyncContext) Proxy.newProxyInstance(
                    AsyncContext.class.getClassLoader(),
                    new Class<?>[] {AsyncContext.class},
                    (proxy, called, given) -> {
                        if (called.getName().equals("addListener")) {
                            listeners.add((AsyncListener) given[0]);
                        }
                        return called.invoke(context, given);
                    });
        }
    }

    private static final class WithoutAsync extends HttpServletRequestWrapper {
        WithoutAsync(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            throw new IllegalStateException("expected by a test");
        }
    }
}
