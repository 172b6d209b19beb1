package dev.weir.spring.aop;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** Limits the methods of beans that are annotated with {@link dev.weir.spring.RateLimited}. */
@AutoConfiguration
public final class RateLimitedAutoConfiguration {
    RateLimitedAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitedPostProcessor rateLimitedPostProcessor(BeanFactory beanFactory) {
        return new RateLimitedPostProcessor(beanFactory);
    }
}
