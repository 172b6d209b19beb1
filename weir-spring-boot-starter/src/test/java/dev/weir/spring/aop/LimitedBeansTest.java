package dev.weir.spring.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.RateLimitedException;
import dev.weir.spring.RateLimited;
import dev.weir.testkit.ManualTimeSource;
import java.lang.reflect.Proxy;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Beans whose annotated methods are not declared by their class, or which are proxies themselves. */
class LimitedBeansTest {
    interface Items<T> {
        T save(T item);
    }

    interface Names extends Items<String> {
        @RateLimited(value = "names", key = "#name")
        String find(String name);

        @Override
        @RateLimited(value = "names", key = "#name")
        String save(String name);
    }

    /** Implements some methods of the interface, as the target of a repository of Spring Data does, but not the interface. */
    static class Target {
        public String save(String name) {
            return name;
        }
    }

    /** Has a limited method of its own, and lacks others of the interface. */
    static class LimitedTarget extends Target {
        @Override
        @RateLimited(value = "names", key = "#name")
        public String save(String name) {
            return super.save(name);
        }
    }

    abstract static class Base<T> {
        @RateLimited(value = "names", key = "#item")
        public T inherited(T item) {
            return item;
        }
    }

    /** Has bridges to the public methods of its base, which is not public. */
    public static class Inheriting extends Base<String> {}

    private static Names repository(Target target) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(target);
        factory.setInterfaces(Names.class);
        factory.addAdvice((MethodInterceptor) call -> call.getArguments()[0]);
        return (Names) factory.getProxy();
    }

    private static Names client() {
        return (Names) Proxy.newProxyInstance(
                Names.class.getClassLoader(),
                new Class<?>[] {Names.class},
                (proxy, method, arguments) -> arguments == null ? 0 : arguments[0]);
    }

    private static <T> void assertLimited(Class<T> type, T bean, Function<T, UnaryOperator<String>> method) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            Contexts.register(context, new ManualTimeSource(), "names=2/1m");
            context.registerBean(type, () -> bean);
            context.refresh();
            UnaryOperator<String> limited = method.apply(context.getBean(type));

            assertThat(limited.apply("ada")).isEqualTo("ada");
            assertThat(limited.apply("ada")).isEqualTo("ada");
            assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> limited.apply("ada"));
            assertThat(limited.apply("bob")).isEqualTo("bob");
        }
    }

    @Test
    void proxyWhoseTargetLacksTheMethod_isLimited() {
        assertLimited(Names.class, repository(new Target()), names -> names::find);
    }

    @Test
    void proxyWhoseTargetHasTheMethod_isLimited() {
        assertLimited(Names.class, repository(new Target()), names -> names::save);
    }

    @Test
    void proxyWhoseTargetLacksOneOfItsMethods_isLimited() {
        assertLimited(Names.class, repository(new LimitedTarget()), names -> names::save);
        assertLimited(Names.class, repository(new LimitedTarget()), names -> names::find);
    }

    @Test
    void proxyOfTheJdk_isLimited() {
        assertLimited(Names.class, client(), names -> names::find);
    }

    @Test
    void proxyOfTheJdk_calledByItsGenericInterface_isLimited() {
        assertLimited(Names.class, client(), names -> ((Items<String>) names)::save);
    }

    @Test
    void methodOfABaseThatIsNotPublic_isLimited() {
        assertLimited(Inheriting.class, new Inheriting(), inheriting -> inheriting::inherited);
    }
}
