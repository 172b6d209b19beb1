package dev.weir.spring;

import dev.weir.testkit.ManualTimeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application on WebFlux that answers every request, with basic authentication for the user ann, and with manual time. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ReactiveApplication {
    @Bean
    ManualTimeSource time() {
        return new ManualTimeSource();
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
        return http.httpBasic(basic -> {})
                .csrf(csrf -> csrf.disable())
                .anonymous(anonymous -> {})
                .build();
    }

    @Bean
    MapReactiveUserDetailsService users() {
        return new MapReactiveUserDetailsService(
                User.withUsername("ann").password("{noop}secret").build());
    }

    @RestController
    static class Endpoints {
        private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

        List<String> calls() {
            return List.copyOf(calls);
        }

        @GetMapping("/**")
        Mono<String> get() {
            return Mono.just("got");
        }

        @PostMapping("/**")
        Mono<String> post() {
            return Mono.just("posted");
        }

        @GetMapping("/mono/{user}")
        @RateLimited(value = "annotated", key = "#user")
        Mono<String> mono(@PathVariable String user) {
            calls.add(user);
            return Mono.just(user);
        }

        @GetMapping("/flux/{user}")
        @RateLimited(value = "annotated", key = "#user", maxWait = "1m")
        Flux<String> flux(@PathVariable String user) {
            calls.add(user);
            return Flux.just(user, user);
        }
    }
}
