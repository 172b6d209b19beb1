package dev.weir.examples.spring;

import java.security.Principal;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A book shop. It contains nothing about limits: those are in {@code application.yml}. */
@SpringBootApplication(proxyBeanMethods = false)
@RestController
public final class BookShop {
    BookShop() {}

    public static void main(String... args) {
        SpringApplication.run(BookShop.class, args);
    }

    @GetMapping("/orders")
    List<String> orders(Principal user) {
        return List.of("The rivers of " + user.getName());
    }

    @GetMapping("/search")
    List<String> search(@RequestParam(defaultValue = "") String text) {
        return List.of("A history of weirs", "Locks and weirs").stream()
                .filter(title -> title.contains(text))
                .toList();
    }

    /** Users ann and bob, with the password "secret". */
    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("ann").password("{noop}secret").build(),
                User.withUsername("bob").password("{noop}secret").build());
    }
}
