package dev.weir.spring;

import dev.weir.http.ClientAddress;
import dev.weir.internal.Spelling;
import dev.weir.spring.internal.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * The checked settings of a rule: which requests a limiter limits, and by which key. Thread-safe.
 *
 * @param limiter the name of the limiter
 * @param paths the patterns of the paths, at least one
 * @param methods the methods, all if empty
 * @param when an expression that must not be false
 * @param key finds the key
 * @param maxWait how long a request may be held; null if the rule does not say
 * @param shadow whether the rule never denies: it then decides apart from the others, after they have allowed the request
 */
record RuleSettings(
        String limiter,
        List<PathPattern> paths,
        Set<String> methods,
        @Nullable RequestExpression<Boolean> when,
        RequestKey key,
        @Nullable Duration maxWait,
        boolean shadow) {
    private static final Pattern METHOD = Pattern.compile("[A-Za-z][A-Za-z-]*");
    private static final Pattern VARIABLES = Pattern.compile("\\{[^/]*}");
    private static final Pattern UNDECODED = Pattern.compile("%\\p{XDigit}{2}|;|\\?[^/]*=");
    private static final List<String> USUAL =
            Arrays.stream(HttpMethod.values()).map(HttpMethod::name).toList();

    /** Returns the rule of a limiter; empty if it has no path, or if there are problems. */
    static Optional<RuleSettings> parse(
            String name, WeirProperties.Limiter properties, ClientAddress address, Problems problems) {
        String property = "weir.limits." + name;
        if (properties.path() == null) {
            addUnused(property, properties, problems);
            return Optional.empty();
        }
        List<PathPattern> paths = paths(property + ".path", properties.path(), problems);
        Set<String> methods = methods(property + ".method", properties.method(), problems);
        String condition = properties.when();
        Optional<RequestExpression<Boolean>> when = condition == null
                ? Optional.empty()
                : problems.parse(
                        property + ".when",
                        () -> RequestExpression.parse(property + ".when", condition, Boolean.class, address));
        String key = properties.key() == null ? "ip" : properties.key();
        Duration maxWait = properties.maxWait();
        if (maxWait != null && maxWait.isNegative()) {
            problems.add(property + ".max-wait", "must not be negative, was " + maxWait);
        }
        return problems.parse(property + ".key", () -> RequestKey.parse(property + ".key", key, address))
                .map(parsed -> new RuleSettings(
                        name, paths, methods, when.orElse(null), parsed, maxWait, properties.shadow()));
    }

    private static void addUnused(String property, WeirProperties.Limiter properties, Problems problems) {
        List<String> unused = new ArrayList<>();
        if (!properties.method().isEmpty()) {
            unused.add("method");
        }
        if (properties.when() != null) {
            unused.add("when");
        }
        if (properties.key() != null) {
            unused.add("key");
        }
        if (properties.maxWait() != null) {
            unused.add("max-wait");
        }
        unused.forEach(name -> problems.add(
                property + "." + name, "has no effect without " + property + ".path; /** is the path of all requests"));
    }

    private static List<PathPattern> paths(String property, List<String> texts, Problems problems) {
        if (texts.isEmpty()) {
            problems.add(property, "must not be empty; an entry without it is for code and limits no requests");
        }
        List<PathPattern> paths = new ArrayList<>();
        for (String text : texts) {
            problems.parse(property, () -> path(text)).ifPresent(paths::add);
        }
        return List.copyOf(paths);
    }

    private static PathPattern path(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("must begin with '/', was '" + text + "'");
        }
        if (UNDECODED.matcher(VARIABLES.matcher(text).replaceAll("")).find()) {
            throw new IllegalArgumentException(
                    "must be decoded, and have neither parameters nor a query, was '" + text + "'");
        }
        try {
            return PathPatternParser.defaultInstance.parse(text);
        } catch (PatternParseException invalid) {
            throw new IllegalArgumentException(invalid.getMessage() + ", was '" + text + "'", invalid);
        }
    }

    private static Set<String> methods(String property, List<String> texts, Problems problems) {
        List<String> methods = texts.stream()
                .map(text -> text.toUpperCase(Locale.ROOT))
                .distinct()
                .toList();
        for (String method : methods) {
            String suggestion = USUAL.contains(method) ? "" : Spelling.suggestion(method, USUAL);
            if (!suggestion.isEmpty() || !METHOD.matcher(method).matches()) {
                problems.add(property, "must be a method such as POST, was '" + method + "'" + suggestion);
            }
        }
        return Set.copyOf(methods);
    }

    /** Returns the key of a request; null if the rule does not apply to it. */
    @Nullable
    String keyOf(LimitedRequest request) {
        return appliesTo(request) ? key.of(request) : null;
    }

    private boolean appliesTo(LimitedRequest request) {
        return (methods.isEmpty() || methods.contains(request.method()) || isHeadOfGet(request))
                && paths.stream().anyMatch(request.path()::matches)
                && (when == null || !Boolean.FALSE.equals(when.evaluate(request))); // if it fails, the limit holds
    }

    /** Whether it may read the user. */
    boolean mayReadUser() {
        return when != null || key.mayReadUser();
    }

    /** HEAD is answered by the handlers of GET, so that it must not be a way around their limits. */
    private boolean isHeadOfGet(LimitedRequest request) {
        return request.method().equals("HEAD") && methods.contains("GET");
    }
}
