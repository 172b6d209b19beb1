package dev.weir.spring.aop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Keeps in a native image what the keys of annotated methods may read: the methods of the bean and of the arguments, and the
 * properties of these.
 */
final class RateLimitedAotProcessor implements BeanRegistrationAotProcessor {
    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Class<?>> beans = new LinkedHashSet<>();
        Set<Class<?>> arguments = new LinkedHashSet<>();
        LimitedMethods.annotated(bean.getBeanClass()).forEach((method, annotations) -> {
            if (annotations.stream().anyMatch(annotation -> !annotation.key().isEmpty())) {
                beans.add(bean.getBeanClass()); // may have more methods than the class that declares this one
                beans.add(method.getDeclaringClass());
                arguments.addAll(List.of(method.getParameterTypes()));
            }
        });
        return beans.isEmpty()
                ? null
                : (generation, code) -> register(generation.getRuntimeHints().reflection(), beans, arguments);
    }

    private static void register(ReflectionHints hints, Set<Class<?>> beans, Set<Class<?>> arguments) {
        beans.forEach(type -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        arguments.forEach(type -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints, arguments.toArray(Class<?>[]::new));
    }
}
