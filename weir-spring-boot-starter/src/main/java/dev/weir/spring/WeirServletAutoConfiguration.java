package dev.weir.spring;

import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Registers the filter that limits the requests of a servlet application by the rules of the configuration, and the answer of Spring
 * MVC to denials of annotated methods and of outgoing calls.
 */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
public final class WeirServletAutoConfiguration {
    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.context.RequestAttributeSecurityContextRepository",
            WeirServletAutoConfiguration.class.getClassLoader());

    WeirServletAutoConfiguration() {}

    /** What needs Spring MVC, without which the filter limits the requests of other servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServlet.class)
    static class Mvc {
        @Bean
        RateLimitedExceptionResolver weirExceptionResolver(WeirSettings settings) {
            return new RateLimitedExceptionResolver(settings.headerForms(), settings.errorPages());
        }
    }

    @Bean
    FilterRegistrationBean<Filter> weirFilter(Rules rules, WeirSettings settings, ApplicationContext context) {
        int securityOrder = context.getEnvironment()
                .getProperty("spring.security.filter.order", Integer.class, FilterOrder.DEFAULT_SECURITY_ORDER);
        int order = FilterOrder.of(settings, context.containsBean(HeldRequests.SECURITY_FILTER), securityOrder);
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter(rules, settings));
        registration.setEnabled(!rules.list().isEmpty());
        registration.setName("weir");
        registration.setOrder(order);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }

    @Bean
    SmartInitializingSingleton weirHeldRequestsCheck(
            Rules rules,
            @Qualifier("weirFilter") FilterRegistrationBean<Filter> weirFilter,
            ListableBeanFactory beans) {
        return () -> HeldRequests.check(rules, weirFilter, new ServletContextInitializerBeans(beans));
    }

    @Bean
    SmartInitializingSingleton weirPathsCheck(Rules rules, ServletContext servletContext, Environment environment) {
        String servlet = environment.getProperty("spring.mvc.servlet.path", "");
        return () -> BasePaths.check(rules, servletContext.getContextPath(), servlet);
    }

    private static Filter filter(Rules rules, WeirSettings settings) {
        if (rules.list().isEmpty()) {
            return (request, response, chain) -> chain.doFilter(request, response);
        }
        RateLimitFilter.Builder builder =
                RateLimitFilter.builder().headers(settings.headerForms().toArray(HeaderForm[]::new));
        if (settings.errorPages()) {
            builder.errorPages();
        }
        for (Rules.Rule rule : rules.list()) {
            Function<HttpServletRequest, @Nullable String> key =
                    request -> rule.settings().keyOf(ServletLimitedRequest.of(request));
            Duration maxWait = rule.settings().maxWait();
            if (rule.settings().shadow()) {
                builder.shadowRule(rule.limiter(), key, maxWait == null ? Duration.ZERO : maxWait);
            } else if (maxWait == null) {
                builder.rule(rule.limiter(), key);
            } else {
                builder.rule(rule.limiter(), key, maxWait);
            }
        }
        RateLimitFilter limit = builder.build();
        return SECURITY ? new HeldUserFilter(limit) : limit;
    }
}
