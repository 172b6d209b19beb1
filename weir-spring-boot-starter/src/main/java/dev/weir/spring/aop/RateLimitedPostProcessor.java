package dev.weir.spring.aop;

import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

/** Puts beans with {@link RateLimited} methods behind a proxy that limits them. Thread-safe. */
final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1;

    /* One for all applications: Spring makes a class for each pointcut and class of beans, and does not unload it. */
    private static final Pointcut ANNOTATED = new Annotated();

    private final transient LimitedMethods methods;

    RateLimitedPostProcessor(BeanFactory beanFactory) {
        methods = new LimitedMethods(() -> beanFactory.getBean(RateLimiters.class), beanFactory);
        advisor = new DefaultPointcutAdvisor(ANNOTATED, new RateLimitInterceptor(methods));
        setBeforeExistingAdvisors(true);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (isLimited(bean)) {
            return bean; // it has another name, too
        }
        if (!(bean instanceof AopInfrastructureBean)) {
            // Before the proxy is made: errors here are clearer. The target of a proxy may lack some of its methods.
            Stream.of(AopUtils.getTargetClass(bean), bean.getClass())
                    .distinct()
                    .filter(this::isEligible)
                    .forEach(methods::read);
        }
        try {
            return super.postProcessAfterInitialization(bean, beanName);
        } catch (AopConfigException noSubclass) {
            throw LimitedMethods.notProxied(AopUtils.getTargetClass(bean), noSubclass);
        }
    }

    /** Returns whether a bean, or one behind its proxies, is limited. Then its calls must not be counted once more. */
    private static boolean isLimited(@Nullable Object bean) {
        return bean instanceof Advised proxy
                && (Arrays.stream(proxy.getAdvisors())
                                .anyMatch(known -> known.getAdvice() instanceof RateLimitInterceptor)
                        || isLimited(AopProxyUtils.getSingletonTarget(proxy)));
    }

    /** Matches annotated methods. Reads nothing else: it is also used when the application is built ahead of time. */
    private static final class Annotated extends StaticMethodMatcherPointcut {
        Annotated() {
            setClassFilter(type -> AnnotationUtils.isCandidateClass(type, RateLimited.class));
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !LimitedMethods.annotations(LimitedMethods.called(method, targetClass))
                    .isEmpty();
        }
    }
}
