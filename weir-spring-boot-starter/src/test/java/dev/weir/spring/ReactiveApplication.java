package dev.weir.spring;

import dev.weir.testkit.ManualTimeSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;

/** An application on WebFlux with basic authentication for the user ann, whose password is "secret", and with manual time. */
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
}
