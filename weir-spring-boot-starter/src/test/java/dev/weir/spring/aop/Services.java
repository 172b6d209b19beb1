package dev.weir.spring.aop;

import dev.weir.spring.RateLimited;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Beans whose methods are limited, in each form that tests need. */
class Services {
    record Login(String username) {}

    /** Counts its calls that were allowed. */
    static class Logins {
        final AtomicInteger calls = new AtomicInteger();

        int calls() {
            return calls.get();
        }

        @RateLimited(value = "login", key = "#request.username")
        public String login(Login request) {
            calls.incrementAndGet();
            return "welcome " + request.username();
        }

        @RateLimited(value = "login", key = "#request.username", maxWait = "1m")
        public String wait(Login request) {
            return login(request);
        }

        @RateLimited(value = "login", key = "#username", permits = 2)
        public void weigh(String username) {
            calls.incrementAndGet();
        }

        @RateLimited("login")
        public void shareOneKey() {
            calls.incrementAndGet();
        }

        @RateLimited(value = "user", key = "#user")
        @RateLimited(value = "tenant", key = "#tenant")
        public void limitTwice(String user, String tenant) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "login", key = "#user", maxWait = "1m")
        @RateLimited(value = "tenant", key = "#tenant")
        public void waitForOne(String user, String tenant) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "login", key = "#user", maxWait = "1m")
        @RateLimited(value = "tenant", key = "#tenant", maxWait = "10s")
        public void waitShortest(String user, String tenant) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "account", key = "#from")
        @RateLimited(value = "account", key = "#to")
        public void transfer(String from, String to) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "shadow", key = "#user")
        public void onlyAShadow(String user) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "shadow", key = "#user")
        @RateLimited(value = "login", key = "#user")
        public void alsoAShadow(String user) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "login", key = "#user", maxWait = "1m")
        @RateLimited(value = "shadow", key = "#user", maxWait = "0s")
        public void waitBesideAShadow(String user) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "login", key = "#user")
        @RateLimited(value = "shadow", key = "#user", maxWait = "1m")
        public void onlyAShadowWaits(String user) {
            calls.incrementAndGet();
        }

        @RateLimited(value = "login", key = "@normalizer.lower(#username)")
        public void askAnotherBean(String username) {
            calls.incrementAndGet();
        }
    }

    /** Another bean that keys refer to. */
    static class Normalizer {
        Runnable whenAsked = () -> {};

        public String lower(String username) {
            whenAsked.run();
            return username.toLowerCase(Locale.ROOT);
        }
    }

    /** Methods that do not block. */
    static class Async {
        final AtomicInteger calls = new AtomicInteger();
        final CompletableFuture<String> started = new CompletableFuture<>();

        int calls() {
            return calls.get();
        }

        CompletableFuture<String> started() {
            return started;
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public CompletionStage<String> stage(String username) {
            return future(username);
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public CompletableFuture<String> future(String username) {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture("welcome " + username);
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public CompletableFuture<String> futureThatTakesLong(String username) {
            calls.incrementAndGet();
            return started;
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public CompletableFuture<String> futureOfTheUser(String username) {
            var user = SecurityContextHolder.getContext().getAuthentication();
            return CompletableFuture.completedFuture(user == null ? "nobody" : user.getName());
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public Mono<String> mono(String username) {
            return Mono.just("welcome " + username + " " + calls.incrementAndGet());
        }

        @RateLimited(value = "login", key = "@normalizer.lower(#username)")
        public Mono<String> monoThatAsks(String username) {
            return Mono.just("welcome " + username + " " + calls.incrementAndGet());
        }

        @RateLimited(value = "shadow", key = "#username")
        public Mono<String> shadowed(String username) {
            return Mono.just("welcome " + username);
        }

        @RateLimited(value = "login", key = "#username", maxWait = "1m")
        public Flux<String> flux(String username) {
            calls.incrementAndGet();
            return Flux.just("welcome", username);
        }
    }

    /** Calls of another system: a proxy without a bean behind it. */
    interface Remote {
        @RateLimited(value = "login", key = "#p0")
        String call(String username);
    }

    private Services() {}
}
