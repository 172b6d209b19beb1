package dev.weir.spring.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.RateLimitedException;
import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import dev.weir.testkit.ManualTimeSource;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.annotation.AliasFor;

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

    /** Limits each method but one that has an annotation of its own. */
    @RateLimited("names")
    static class LimitedClass {
        String find(String name) {
            return name;
        }

        @RateLimited(value = "names", key = "#name")
        String save(String name) {
            return name;
        }

        static String withoutABean(String name) {
            return name;
        }

        @Override
        public String toString() {
            return withoutABean("a limited class");
        }
    }

    static class Derived extends LimitedClass {
        @Override
        String find(String name) {
            return super.find(name);
        }

        String add(String name) {
            return name;
        }
    }

    @RateLimited(value = "names", key = "#p0")
    interface Client {
        String send(String name);
    }

    /** An annotation of an application. */
    @RateLimited(value = "names")
    @Retention(RetentionPolicy.RUNTIME)
    @interface ByName {
        @AliasFor(annotation = RateLimited.class)
        String key();
    }

    static class Composed {
        @ByName(key = "#name")
        public String find(String name) {
            return name;
        }
    }

    interface Finder {
        @RateLimited(value = "names", key = "tenant.concat(#p0)")
        String find(String name);
    }

    /** Its interface does not have the property that the key reads. */
    static class TenantFinder implements Finder {
        public String getTenant() {
            return "acme ";
        }

        @Override
        public String find(String name) {
            return name;
        }
    }

    private static Names repository(Target target) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(target);
        factory.setInterfaces(Names.class);
        factory.addAdvice((MethodInterceptor) call -> call.getArguments()[0]);
        return (Names) factory.getProxy();
    }

    private static <T> T client(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> arguments == null ? 0 : arguments[0]));
    }

    private static <T> void withBean(Class<T> type, T bean, Consumer<T> check) {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            Contexts.register(context, new ManualTimeSource(), "names=2/1m");
            context.registerBean(type, () -> bean);
            context.refresh();
            check.accept(context.getBean(type));
        }
    }

    private static <T> void assertLimited(Class<T> type, T bean, Function<T, UnaryOperator<String>> method) {
        withBean(type, bean, proxy -> {
            UnaryOperator<String> limited = method.apply(proxy);

            assertThat(limited.apply("ada")).isEqualTo("ada");
            assertThat(limited.apply("ada")).isEqualTo("ada");
            assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> limited.apply("ada"));
            assertThat(limited.apply("bob")).isEqualTo("bob");
        });
    }

    private static <T> void assertAllShareAKey(Class<T> type, T bean, Function<T, UnaryOperator<String>> method) {
        withBean(type, bean, proxy -> {
            UnaryOperator<String> limited = method.apply(proxy);

            assertThat(limited.apply("ada")).isEqualTo("ada");
            assertThat(limited.apply("bob")).isEqualTo("bob");
            assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> limited.apply("eve"));
        });
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
        assertLimited(Names.class, client(Names.class), names -> names::find);
    }

    @Test
    void proxyOfTheJdk_calledByItsGenericInterface_isLimited() {
        assertLimited(Names.class, client(Names.class), names -> ((Items<String>) names)::save);
    }

    @Test
    void methodOfABaseThatIsNotPublic_isLimited() {
        assertLimited(Inheriting.class, new Inheriting(), inheriting -> inheriting::inherited);
    }

    @Test
    void methodOfAnAnnotatedClass_isLimited() {
        assertAllShareAKey(LimitedClass.class, new LimitedClass(), limited -> limited::find);
        assertLimited(LimitedClass.class, new LimitedClass(), limited -> limited::save);
    }

    @Test
    void methodOfAnAnnotatedClass_staticOrOfObject_isNotLimited() {
        withBean(LimitedClass.class, new LimitedClass(), limited -> {
            for (int i = 0; i < 5; i++) {
                assertThat(limited).hasToString("a limited class");
            }
        });
    }

    @Test
    void methodThatOverridesOneOfAnAnnotatedClass_isLimited() {
        assertAllShareAKey(Derived.class, new Derived(), derived -> derived::find);
        assertAllShareAKey(Derived.class, new Derived(), derived -> derived::add);
    }

    @Test
    void methodOfAnAnnotatedInterface_isLimited() {
        assertLimited(Client.class, client(Client.class), client -> client::send);
        assertLimited(Client.class, name -> name, client -> client::send);
    }

    @Test
    void keyOfAPropertyOfTheBean_isLimited() {
        assertLimited(Finder.class, new TenantFinder(), finder -> finder::find);

        ProxyFactory factory = new ProxyFactory(new TenantFinder());
        assertLimited(Finder.class, (Finder) factory.getProxy(), finder -> finder::find);
    }

    @Test
    void classOfSeveralBeans_isReadOnce() throws Exception {
        Method find = Composed.class.getMethod("find", String.class);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            Contexts.register(context, new ManualTimeSource(), "names=2/1m");
            context.refresh();
            LimitedMethods methods = new LimitedMethods(() -> context.getBean(RateLimiters.class), context);
            methods.read(Composed.class);
            LimitedMethod first = methods.get(find);

            methods.read(Composed.class);

            assertThat(methods.get(find)).isSameAs(first);
        }
    }

    @Test
    void classOfBeansInSeveralApplications_hasOneProxyClass() {
        List<Class<?>> classes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            withBean(Composed.class, new Composed(), composed -> classes.add(composed.getClass()));
        }

        assertThat(classes.get(1)).isNotEqualTo(Composed.class).isSameAs(classes.get(0));
    }

    /** As where a configuration also gives a bean out by its interface. */
    @Test
    void beanOfTwoNames_isLimitedOnce() {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            Contexts.register(context, new ManualTimeSource(), "names=2/1m");
            context.registerBean("own", TenantFinder.class, TenantFinder::new);
            context.registerBean("other", Finder.class, () -> (Finder) context.getBean("own"));
            context.registerBean("wrapped", Finder.class, () -> {
                ProxyFactory factory = new ProxyFactory(context.getBean("own"));
                factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
                return (Finder) factory.getProxy();
            });
            context.refresh();

            context.getBean("other", Finder.class).find("ada");
            context.getBean("wrapped", Finder.class).find("ada");
            assertThatExceptionOfType(RateLimitedException.class)
                    .isThrownBy(() -> ((Finder) context.getBean("own")).find("ada"));
        }
    }

    @Test
    void annotationOfTheApplication_isLimited() {
        assertLimited(Composed.class, new Composed(), composed -> composed::find);
    }
}
