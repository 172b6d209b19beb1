package dev.weir.spring.aop;

import dev.weir.spring.internal.Variables;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/** The key of a call: an expression over the arguments of one method, parsed and checked once. Immutable and thread-safe. */
final class KeyExpression {
    private static final String SHARED = "global";
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final Method method;
    private final @Nullable SpelExpression expression; // null: all calls share a key
    private final BeanFactoryResolver beans;

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if the text is not an expression, or names a variable that is not a parameter
     */
    KeyExpression(String text, Method method, BeanFactory beanFactory) {
        this.method = method;
        this.beans = new BeanFactoryResolver(beanFactory);
        this.expression = text.isEmpty() ? null : parse(text);
        if (expression != null) {
            Variables.of(expression).forEach(this::checkVariable);
        }
    }

    /** Returns the name of a method for messages. */
    static String nameOf(Method method) {
        return ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName();
    }

    private static SpelExpression parse(String text) {
        try {
            return PARSER.parseRaw(text);
        } catch (ParseException malformed) {
            throw new IllegalArgumentException(
                    "key is not an expression, was " + text + ": " + malformed.getSimpleMessage(), malformed);
        }
    }

    private void checkVariable(String variable) {
        List<String> known = new ArrayList<>(List.of("#this", "#root"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            known.add("#p" + i);
            known.add("#a" + i);
        }
        String @Nullable [] names = NAMES.getParameterNames(method);
        if (names != null) {
            for (String name : names) {
                known.add("#" + name);
            }
        }
        if (!known.contains(variable)) {
            throw new IllegalArgumentException("key refers to " + variable + ", which is not a parameter; known are "
                    + String.join(", ", known)
                    + (names == null ? ". Compile with -parameters to refer to parameters by name" : ""));
        }
    }

    /**
     * Returns the key of a call.
     *
     * @throws IllegalArgumentException if it is null or empty, or cannot be evaluated
     */
    String evaluate(@Nullable Object bean, @Nullable Object[] arguments) {
        if (expression == null) {
            return SHARED;
        }
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(Objects.requireNonNullElse(bean, method), method, arguments, NAMES);
        context.setBeanResolver(beans);
        String key;
        try {
            key = expression.getValue(context, String.class);
        } catch (EvaluationException failure) {
            throw new IllegalArgumentException(
                    describe(expression) + " cannot be evaluated: " + failure.getMessage(), failure);
        }
        if (key == null || key.isEmpty()) {
            throw new IllegalArgumentException(describe(expression) + " must not be null or empty");
        }
        return key;
    }

    private String describe(SpelExpression evaluated) {
        return "the key of @RateLimited on " + nameOf(method) + ", " + evaluated.getExpressionString() + ",";
    }
}
