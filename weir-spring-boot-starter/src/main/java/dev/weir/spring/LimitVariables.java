package dev.weir.spring;

import dev.weir.spring.internal.Problems;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The environment variables that set properties of limiters. Spring Boot reads each '_' of a name that is in no file as a '.', and
 * then ignores the variable: without a check, its limit would be missing. Other variables that begin with {@code WEIR_} may have
 * another purpose.
 */
final class LimitVariables {
    private static final Pattern PROPERTY = Pattern.compile(
            "WEIR_LIMITS_(.+?)_(LIMIT|PATH|METHOD|WHEN|KEY|MAX_?WAIT|SHADOW|PLANS_.+|ON_?FAILURE)(_[0-9]+)?_?");

    private LimitVariables() {}

    /**
     * Reports variables of limiters that are not known.
     *
     * @param limiters the names of all limiters
     */
    static void check(ConfigurableEnvironment environment, Set<String> limiters, Problems problems) {
        Set<String> known =
                limiters.stream().map(name -> name.replaceAll("[_-]", "")).collect(Collectors.toSet());
        environment.getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .flatMap(source -> ((SystemEnvironmentPropertySource) source).getSource().keySet().stream())
                .sorted()
                .filter(variable -> isUnknown(variable, known))
                .forEach(variable -> problems.add(
                        variable,
                        "sets no entry of weir.limits; an entry whose name has '-' or '_' must also be in a file, and a"
                                + " variable cannot set one whose name has capitals or '.'"));
    }

    private static boolean isUnknown(String variable, Set<String> known) {
        Matcher property = PROPERTY.matcher(variable);
        return property.matches()
                && !known.contains(property.group(1).replace("_", "").toLowerCase(Locale.ROOT));
    }
}
