package dev.weir.spring.aop;

import dev.weir.spring.internal.Variables;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
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
     * @param type the class of the bean
     * @throws IllegalArgumentException if the text is not an expression, names a variable that is not a parameter or a bean that
     *     does not exist, or begins with a property that the bean does not have
     */
    KeyExpression(String text, Method method, Class<?> type, BeanFactory beanFactory) {
        this.method = method;
        this.beans = new BeanFactoryResolver(beanFactory);
        this.expression = text.isEmpty() ? null : parse(text);
        if (expression != null) {
            Variables.of(expression).forEach(this::checkVariable);
            Variables.beans(expression).forEach(name -> checkBean(name, beanFactory));
            checkProperty(expression.getAST(), type);
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

    /** Finds a '#' that is missing, and names such as {@code ip} that only rules have. */
    private void checkProperty(SpelNode expression, Class<?> type) {
        SpelNode start = expression instanceof CompoundExpression path ? path.getChild(0) : expression;
        if (start instanceof PropertyOrFieldReference property && !mayHave(type, property.getName())) {
            throw new IllegalArgumentException("key refers to " + property.getName()
                    + ", a property that the bean does not have; known are " + String.join(", ", variables()));
        }
    }

    /** Returns whether objects of a class may have a property. A proxy of the JDK may be that of an object of any class. */
    private static boolean mayHave(Class<?> type, String property) {
        return Proxy.isProxyClass(type)
                || Stream.of(type.getFields()).anyMatch(field -> field.getName().equals(property))
                || Stream.of(type.getMethods())
                        .filter(getter -> getter.getParameterCount() == 0)
                        .map(getter -> getter.getName().replaceFirst("^(get|is)(?=[A-Z])", ""))
                        .anyMatch(property::equalsIgnoreCase);
    }

    private void checkVariable(String variable) {
        List<String> known = variables();
        if (!known.contains(variable)) {
            throw new IllegalArgumentException("key refers to " + variable + ", which is not a parameter; known are "
                    + String.join(", ", known)
                    + (NAMES.getParameterNames(method) == null
                            ? ". Compile with -parameters to refer to parameters by name"
                            : ""));
        }
    }

    private static void checkBean(String name, BeanFactory beanFactory) {
        if (!beanFactory.containsBean(name)) {
            throw new IllegalArgumentException("key refers to @" + name + ", but no bean has this name");
        }
    }

    private List<String> variables() {
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
        return known;
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
