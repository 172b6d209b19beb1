package dev.weir.spring;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that answers every request with the name of the user, with basic authentication for the users ann and bob, whose passwords are "secret". */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TestApplication {
    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.httpBasic(basic -> {}).csrf(csrf -> csrf.disable()).build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ann").password("{noop}secret").build(),
                User.withUsername("bob").password("{noop}secret").build());
    }

    @RestController
    static class Endpoints {
        @GetMapping("/**")
        String get(@Nullable Principal user) {
            return "got " + (user == null ? "nobody" : user.getName());
        }

        @PostMapping("/**")
        String post() {
            return "posted";
        }
    }
}
