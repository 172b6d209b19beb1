package dev.weir.spring;

import dev.weir.http.ClientAddress;
import dev.weir.internal.OccasionalLog;
import dev.weir.internal.Spelling;
import dev.weir.spring.internal.Variables;
import java.security.Principal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.http.server.PathContainer;

/**
 * An expression over a request, from the configuration. It reads properties and calls methods of what it is given; it cannot name
 * types, create objects, use beans or assign. Thread-safe.
 *
 * @param <T> the type of its result
 */
final class RequestExpression<T> {
    private static final EvaluationContext CONTEXT = SimpleEvaluationContext.forReadOnlyDataBinding()
            .withInstanceMethods()
            .withAssignmentDisabled()
            .build();

    /** Failures that depend on the expression, not on the request: with any request it fails. */
    private static final Set<SpelMessage> ALWAYS = Set.of(
            SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE,
            SpelMessage.METHOD_NOT_FOUND,
            SpelMessage.TYPE_NOT_FOUND,
            SpelMessage.TYPE_CONVERSION_ERROR,
            SpelMessage.FUNCTION_NOT_DEFINED,
            SpelMessage.CONSTRUCTOR_NOT_FOUND,
            SpelMessage.NO_BEAN_RESOLVER_REGISTERED,
            SpelMessage.NOT_ASSIGNABLE,
            SpelMessage.VARIABLE_ASSIGNMENT_NOT_SUPPORTED,
            SpelMessage.OPERATOR_NOT_SUPPORTED_BETWEEN_TYPES);

    private final String property;
    private final SpelExpression expression;
    private final Class<T> type;
    private final ClientAddress address;
    private final OccasionalLog log = new OccasionalLog("dev.weir.spring");

    private RequestExpression(String property, SpelExpression expression, Class<T> type, ClientAddress address) {
        this.property = property;
        this.expression = expression;
        this.type = type;
        this.address = address;
    }

    /**
     * Parses an expression and tries it on a request without headers and user, and on one with them.
     *
     * @throws IllegalArgumentException if it cannot be parsed, refers to a variable, or would fail with every request
     */
    static <T> RequestExpression<T> parse(String property, String text, Class<T> type, ClientAddress address) {
        var expression = new RequestExpression<>(property, parsed(text), type, address);
        for (String variable : Variables.of(expression.expression)) {
            throw new IllegalArgumentException("'" + text + "' refers to " + variable
                    + ", but a rule has no variables, only method, path, address, user, principal, header('Name')"
                    + " and request");
        }
        expression.tryOn(new Sample(null));
        expression.tryOn(new Sample("1")); // which converts to any type
        return expression;
    }

    private static SpelExpression parsed(String text) {
        try {
            return new SpelExpressionParser().parseRaw(text);
        } catch (ParseException | IllegalArgumentException | IllegalStateException unreadable) {
            String why =
                    unreadable instanceof ParseException parse ? parse.getSimpleMessage() : unreadable.getMessage();
            throw new IllegalArgumentException("'" + text + "' is not an expression: " + why, unreadable);
        }
    }

    private void tryOn(LimitedRequest sample) {
        try {
            expression.getValue(CONTEXT, new ExpressionRoot(sample, address), type);
        } catch (SpelEvaluationException failure) {
            if (ALWAYS.contains(failure.getMessageCode())) {
                throw new IllegalArgumentException(
                        "'" + expression.getExpressionString() + "' cannot be evaluated: " + plain(failure), failure);
            }
        } catch (RuntimeException dependsOnTheRequest) { // a method that is called can throw anything
            return;
        }
    }

    private static String plain(SpelEvaluationException failure) {
        String root = ExpressionRoot.class.getName();
        return failure.getSimpleMessage().replace("'" + root + "'", root).replace(root, "a request");
    }

    /** Returns the value for a request; null if it is null, or if the evaluation fails, which is logged at most once a minute. */
    @Nullable
    T evaluate(LimitedRequest request) {
        try {
            return expression.getValue(CONTEXT, new ExpressionRoot(request, address), type);
        } catch (RuntimeException failure) {
            log.warn(property + " could not be evaluated: " + reason(failure), null);
            return null;
        }
    }

    /** Returns the reason in one line, without a stack trace: any client can cause it, and it may quote what the client sent. */
    private static String reason(RuntimeException failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        String reason = cause instanceof SpelEvaluationException ? cause.getMessage() : cause.toString();
        return Spelling.printable(String.valueOf(reason));
    }

    @Override
    public String toString() {
        return expression.getExpressionString();
    }

    /** A request that has a method and a path, and a value as its user and in each header, or neither. */
    private record Sample(@Nullable String value) implements LimitedRequest {
        @Override
        public String method() {
            return "GET";
        }

        @Override
        public SentPath path() {
            return SentPath.of(PathContainer.parsePath("/"));
        }

        @Override
        public String peer() {
            return "192.0.2.1"; // not private, or its headers would look like those of a proxy
        }

        @Override
        public List<String> headers(String name) {
            return value == null ? List.of() : List.of(value);
        }

        @Override
        public @Nullable String user() {
            return value;
        }

        @Override
        public @Nullable Principal principal() {
            throw new IllegalStateException("a sample has no principal");
        }

        @Override
        public Object source() {
            throw new IllegalStateException("a sample has no request of a server");
        }
    }
}
