package dev.weir.spring.aop;

import dev.weir.RateLimiter;
import dev.weir.spring.RateLimited;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotationPredicates;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The limited methods of all beans, read from their annotations when the beans are created. Thread-safe. */
final class LimitedMethods {
    static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", LimitedMethods.class.getClassLoader());
    private static final String CONTINUATION =
            "kotlin.coroutines.Continuation"; // the last parameter of a suspend function
    private static final String WEB = "org.springframework.web.bind.annotation.";

    private final Supplier<RateLimiters> limiters;
    private final BeanFactory beanFactory;
    private final Map<Method, LimitedMethod> methods =
            new ConcurrentHashMap<>(); // at most one for each annotated method

    private final Set<Class<?>> types = ConcurrentHashMap.newKeySet(); // that were read; a prototype has many beans

    LimitedMethods(Supplier<RateLimiters> limiters, BeanFactory beanFactory) {
        this.limiters = limiters;
        this.beanFactory = beanFactory;
    }

    /** Returns the method that a call runs: that of the target's class, not a bridge; of a JDK proxy, the one of its interface. */
    static Method called(Method method, @Nullable Class<?> type) {
        return AopUtils.getMostSpecificMethod(method, type == null || Proxy.isProxyClass(type) ? null : type);
    }

    /**
     * Returns the annotations of a method, or of the nearest method that it overrides or implements; if there are none, those of
     * the class that declares it, unless the method is private, static or supports the endpoints of a controller.
     */
    static List<RateLimited> annotations(Method method) {
        MergedAnnotations all = on(method);
        List<RateLimited> own = nearest(all);
        int modifiers = method.getModifiers();
        boolean byClass = !Modifier.isPrivate(modifiers)
                && !Modifier.isStatic(modifiers)
                && !ReflectionUtils.isObjectMethod(method)
                && !supportsEndpoints(all);
        return own.isEmpty() && byClass ? nearest(on(method.getDeclaringClass())) : own;
    }

    /** Returns whether Spring calls the method in addition to an endpoint. An exception handler may answer the denial. */
    private static boolean supportsEndpoints(MergedAnnotations all) {
        return all.isPresent(WEB + "ExceptionHandler")
                || all.isPresent(WEB + "InitBinder")
                || (all.isPresent(WEB + "ModelAttribute") && !all.isPresent(WEB + "RequestMapping"));
    }

    private static MergedAnnotations on(AnnotatedElement element) {
        return MergedAnnotations.from(
                element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables());
    }

    private static List<RateLimited> nearest(MergedAnnotations annotations) {
        return annotations.stream(RateLimited.class)
                .filter(MergedAnnotationPredicates.firstRunOf(MergedAnnotation::getAggregateIndex))
                .map(MergedAnnotation::synthesize)
                .toList();
    }

    /** Returns the annotated methods of a class and its interfaces, in a fixed order, which reflection does not have. */
    static SortedMap<Method, List<RateLimited>> annotated(Class<?> type) {
        SortedMap<Method, List<RateLimited>> annotated = new TreeMap<>(Comparator.comparing(Method::toString));
        MethodIntrospector.selectMethods(type, (Method method) -> {
                    List<RateLimited> annotations = annotations(method);
                    return annotations.isEmpty() ? null : annotations;
                })
                .forEach((method, annotations) -> annotated.put(called(method, type), annotations));
        return annotated;
    }

    /**
     * Reads and checks the annotations of a bean's class.
     *
     * @throws InvalidConfigurationException with all problems, if there are any
     */
    void read(Class<?> type) {
        if (types.contains(type)) {
            return;
        }
        Problems problems = new Problems();
        Map<Method, LimitedMethod> read = new HashMap<>();
        annotated(type)
                .forEach((method, annotations) ->
                        read.put(method, new Reader(method, type, problems).read(annotations)));
        problems.throwIfAny();
        methods.putAll(read);
        types.add(type);
    }

    /** Returns the exception for annotated methods of a class that Spring cannot put behind a proxy. */
    static InvalidConfigurationException notProxied(Class<?> type, Throwable cause) {
        List<String> problems = annotated(type).keySet().stream()
                .map(method -> place(method) + ": Spring cannot make a subclass of " + type.getName()
                        + ". It must not be final, sealed, a record"
                        + " or an enum, and needs a constructor that is not private")
                .toList();
        InvalidConfigurationException invalid = new InvalidConfigurationException(problems);
        invalid.initCause(cause);
        return invalid;
    }

    private static String place(Method method) {
        return "@RateLimited on " + KeyExpression.nameOf(method);
    }

    /** Returns the limits of a method that was read. */
    LimitedMethod get(Method method) {
        LimitedMethod limited = methods.get(method);
        if (limited == null) {
            throw new IllegalStateException(place(method) + " was not read");
        }
        return limited;
    }

    /** Reads the annotations of one method. */
    private final class Reader {
        private final Method method;
        private final Class<?> type;
        private final Problems problems;

        Reader(Method method, Class<?> type, Problems problems) {
            this.method = method;
            this.type = type;
            this.problems = problems;
        }

        LimitedMethod read(List<RateLimited> annotations) {
            checkMethod();
            List<LimitedMethod.Permits> permits = new ArrayList<>();
            List<LimitedMethod.Permits> shadows = new ArrayList<>();
            for (RateLimited annotation : annotations) {
                RateLimiter limiter = parse(() -> limiters.get().get(annotation.value()));
                KeyExpression key = parse(() -> new KeyExpression(annotation.key(), method, type, beanFactory));
                Duration maxWait = annotation.maxWait().isEmpty() ? null : parse(() -> maxWait(annotation.maxWait()));
                if (annotation.permits() < 1) {
                    problem("permits must be at least 1, was " + annotation.permits());
                }
                if (limiter != null && key != null) {
                    boolean shadow = limiters.get().isShadow(annotation.value());
                    (shadow ? shadows : permits)
                            .add(new LimitedMethod.Permits(limiter, key, annotation.permits(), maxWait));
                }
            }
            Duration shortest = permits.stream()
                    .map(LimitedMethod.Permits::maxWait)
                    .filter(Objects::nonNull)
                    .min(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
            return new LimitedMethod(List.copyOf(permits), List.copyOf(shadows), shortest);
        }

        private void checkMethod() {
            if (on(method).isPresent(Bean.class)) {
                problem("a method with @Bean is called once, to create the bean; annotate the class of the bean");
            }
            int modifiers = method.getModifiers();
            if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
                problem("Spring cannot intercept a method that is private, static or final");
            }
            Class<?>[] parameters = method.getParameterTypes();
            if (Arrays.stream(parameters)
                    .anyMatch(parameter -> parameter.getName().equals(CONTINUATION))) {
                problem("suspend functions are not supported; return a Mono, a Flux or a CompletableFuture");
            }
            Class<?> result = method.getReturnType();
            if (CompletionStage.class.isAssignableFrom(result)) {
                checkResult(
                        result.isAssignableFrom(CompletableFuture.class), "a CompletionStage or a CompletableFuture");
            } else if (REACTOR) {
                checkResult(ReactiveCall.canReturn(result), "a Mono or a Flux");
            }
        }

        private void checkResult(boolean supported, String others) {
            if (!supported) {
                problem("a method that returns " + method.getReturnType().getSimpleName() + " is not supported; return "
                        + others);
            }
        }

        private <T> @Nullable T parse(Supplier<T> parser) {
            return problems.parse(place(method), parser).orElse(null);
        }

        private void problem(String text) {
            problems.add(place(method), text);
        }
    }

    private static Duration maxWait(String text) {
        Duration wait;
        try {
            wait = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "maxWait must be a duration such as 500ms or 2s, was " + text, malformed);
        }
        if (wait.isNegative()) {
            throw new IllegalArgumentException("maxWait must not be negative, was " + text);
        }
        return wait;
    }
}
