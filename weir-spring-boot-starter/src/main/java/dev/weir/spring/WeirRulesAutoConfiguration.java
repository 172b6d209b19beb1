package dev.weir.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.util.pattern.PathPattern;

/** Makes the rules for requests that the filters of servlet and reactive applications share. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnClass(PathPattern.class)
public final class WeirRulesAutoConfiguration {
    WeirRulesAutoConfiguration() {}

    @Bean
    Rules weirRules(WeirSettings settings, RateLimiters limiters) {
        return new Rules(settings, limiters);
    }
}
