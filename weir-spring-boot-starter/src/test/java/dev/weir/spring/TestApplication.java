package dev.weir.spring;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
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
    PasswordEncoder passwords() {
        return new BCryptPasswordEncoder(4); // the least work; the default encoder takes 64 times as much
    }

    @Bean
    UserDetailsService users(PasswordEncoder passwords) {
        String secret = passwords.encode("secret");
        return new InMemoryUserDetailsManager(
                User.withUsername("ann").password(secret).build(),
                User.withUsername("bob").password(secret).build());
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
