package dev.weir.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.DispatcherServlet;

/** Registers the answer of Spring MVC to denials of annotated methods and of outgoing calls. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
public final class WeirMvcAutoConfiguration {
    WeirMvcAutoConfiguration() {}

    @Bean
    RateLimitedExceptionResolver weirExceptionResolver(WeirSettings settings) {
        return new RateLimitedExceptionResolver(settings.headerForms());
    }
}
