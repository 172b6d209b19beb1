package dev.weir.spring;

import dev.weir.internal.Spelling;
import dev.weir.spring.internal.Problems;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Environment variables and system properties that are named like settings of Weir and are none, because they are misspelled or
 * name an entry that does not exist. Spring Boot ignores them: without a check, a limit would be missing. Under {@code weir.limits}
 * they are an error. Others are reported in a warning, since they may have another purpose.
 */
final class UnknownSettings {
    private static final System.Logger LOG = System.getLogger("dev.weir.spring");
    private static final Pattern OF_LIMITS = Pattern.compile("(?i)weir[._]limits[._\\[].+");
    private static final Pattern OF_KUBERNETES = // which sets them for a service whose name begins with weir
            Pattern.compile(
                    ".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private static final Pattern INDEX = Pattern.compile("_[0-9]+$");

    private final Set<ConfigurationPropertyName> known;
    private final Set<ConfigurationPropertyName> lists;
    private final Set<String> knownVariables;
    private final Set<String> variablesOfLists;

    private UnknownSettings(BindingProblems found) {
        this.known = found.lookedUp();
        this.lists = found.lists();
        this.knownVariables = variables(known);
        this.variablesOfLists = variables(lists);
    }

    /** Reports settings that were not looked up. */
    static void check(ConfigurableEnvironment environment, BindingProblems found) {
        Problems problems = found.problems();
        UnknownSettings check = new UnknownSettings(found);
        List<String> others = new ArrayList<>();
        check.in(environment).forEach(name -> {
            if (OF_LIMITS.matcher(name).matches()) {
                problems.add(
                        name,
                        "sets no property of an entry of weir.limits; a variable sets one whose name has '-' or '_' only if"
                                + " the entry is also in a file, and none whose name has capitals or '.'");
            } else {
                others.add(name + Spelling.suggestion(name, List.copyOf(check.knownVariables)));
            }
        });
        if (!others.isEmpty()) {
            LOG.log(Level.WARNING, "these names set no property of Weir: " + String.join(", ", others));
        }
    }

    private Set<String> in(ConfigurableEnvironment environment) {
        Set<String> unknown = new TreeSet<>();
        environment.getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .flatMap(source -> ((SystemEnvironmentPropertySource) source).getSource().keySet().stream())
                .filter(this::isUnknownVariable)
                .forEach(unknown::add);
        environment.getSystemProperties().keySet().stream()
                .filter(this::isUnknownProperty)
                .forEach(unknown::add);
        return unknown;
    }

    private boolean isUnknownVariable(String name) {
        if (name.indexOf('.') >= 0) {
            return isUnknownProperty(name); // containers may have such variables, which Spring Boot reads, too
        }
        String variable = name.toUpperCase(Locale.ROOT).replaceFirst("_$", ""); // which sets the same
        return variable.startsWith("WEIR_")
                && !OF_KUBERNETES.matcher(variable).matches()
                && !knownVariables.contains(variable)
                && !variablesOfLists.contains(INDEX.matcher(variable).replaceFirst(""));
    }

    private boolean isUnknownProperty(String name) {
        ConfigurationPropertyName property = ConfigurationPropertyName.adapt(name, '.');
        boolean element = property.isLastElementIndexed() && lists.contains(property.getParent());
        return name.toLowerCase(Locale.ROOT).startsWith("weir.") && !known.contains(property) && !element;
    }

    private static Set<String> variables(Set<ConfigurationPropertyName> names) {
        Set<String> variables = new TreeSet<>();
        names.forEach(name -> variables.addAll(List.of(
                variable(name, Form.UNIFORM), // without dashes
                variable(name, Form.ORIGINAL))));
        return variables;
    }

    /** Returns the variable that Spring Boot looks up for a property. */
    private static String variable(ConfigurationPropertyName name, Form form) {
        List<String> elements = new ArrayList<>();
        for (int i = 0; i < name.getNumberOfElements(); i++) {
            elements.add(name.getElement(i, form));
        }
        return String.join("_", elements).replace('-', '_').toUpperCase(Locale.ROOT);
    }
}
