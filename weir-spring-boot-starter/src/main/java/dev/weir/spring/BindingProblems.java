package dev.weir.spring;

import dev.weir.spring.internal.Problems;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.ResolvableType;

/**
 * Collects the properties under {@code weir} that are unknown, or cannot be converted to their types, so that they are reported
 * together with all other problems. Spring Boot alone would report the first of them. Used by the thread that starts the
 * application.
 */
final class BindingProblems implements ConfigurationPropertiesBindHandlerAdvisor {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("weir");

    private final Problems problems = new Problems();
    private final Set<ConfigurationPropertyName> reported = new HashSet<>();
    private final Set<ConfigurationPropertyName> lookedUp = new HashSet<>();
    private final Set<ConfigurationPropertyName> lists = new HashSet<>(); // of those

    /** Returns what has been collected. */
    Problems problems() {
        return problems;
    }

    /** Returns the names of all properties that were looked up, whether they have a value or not. */
    Set<ConfigurationPropertyName> lookedUp() {
        return Set.copyOf(lookedUp);
    }

    /** Returns the names of those that are lists, whose elements may be set one by one. */
    Set<ConfigurationPropertyName> lists() {
        return Set.copyOf(lists);
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new AbstractBindHandler(handler) {
            @Override
            public <T> @Nullable Bindable<T> onStart(
                    ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
                if (PREFIX.isAncestorOf(name)) {
                    lookedUp.add(name);
                    if (isList(target.getType())) {
                        lists.add(name);
                        checkGivenOnce(name, context.getSources());
                    }
                }
                return super.onStart(name, target, context);
            }

            @Override
            public @Nullable Object onFailure(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                    throws Exception {
                if (!PREFIX.isAncestorOf(name)) {
                    return super.onFailure(name, target, context, error);
                }
                if (error instanceof UnboundConfigurationPropertiesException gap) {
                    gap.getUnboundProperties().forEach(element -> addAfterGap(element.getName()));
                } else {
                    addInvalid(name, target, context.getConfigurationProperty());
                }
                return null; // the default, and on to the next property
            }

            @Override
            public void onFinish(
                    ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
                    throws Exception {
                try {
                    super.onFinish(name, target, context, result);
                } catch (UnboundConfigurationPropertiesException unknown) {
                    if (!PREFIX.equals(name)) {
                        throw unknown;
                    }
                    unknown.getUnboundProperties().forEach(property -> addUnknown(property));
                }
            }
        };
    }

    /** Checks that no source has a list both as one value, which alone would be read, and by its elements. */
    private void checkGivenOnce(ConfigurationPropertyName list, Iterable<ConfigurationPropertySource> sources) {
        ConfigurationPropertyName first = list.append("[0]");
        for (ConfigurationPropertySource source : sources) {
            if (source.getConfigurationProperty(list) != null
                    && source.getConfigurationProperty(first) != null
                    && reported.add(list)) {
                problems.add(list.toString(), "is set both as one value and by its elements, such as " + first);
            }
        }
    }

    private void addInvalid(
            ConfigurationPropertyName name, Bindable<?> target, @Nullable ConfigurationProperty property) {
        if (reported.add(name)) {
            problems.add(name.toString(), invalid(target, property));
        }
    }

    /** Returns what is wrong with a value that cannot be converted. */
    static String invalid(Bindable<?> target, @Nullable ConfigurationProperty property) {
        String value = property == null ? "" : ", was '" + property.getValue() + "'";
        return expected(target.getType()) + value;
    }

    private void addAfterGap(ConfigurationPropertyName name) {
        if (reported.add(name)) {
            reported.add(name.getParent()); // its other elements are not unknown
            problems.add(
                    name.toString(),
                    "has no element before it; a list comes from one place, which must have all elements from [0] on");
        }
    }

    /** Reports a property that was not bound. A known one is not bound either if it has no value. */
    private void addUnknown(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        if (reported.stream().noneMatch(invalid -> invalid.equals(name) || invalid.isAncestorOf(name))) {
            boolean empty = property.getValue().toString().isEmpty();
            problems.add(name.toString(), empty ? "has no value" : "unknown property");
        }
    }

    private static boolean isList(ResolvableType type) {
        return List.class.isAssignableFrom(type.resolve(Object.class));
    }

    private static String expected(ResolvableType target) {
        Class<?> type = (isList(target) ? target.getGeneric(0) : target).resolve(Object.class);
        if (type.isEnum()) {
            return "must be one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(BindingProblems::kebab)
                            .collect(Collectors.joining(", "));
        }
        if (type == Duration.class) {
            return "must be a duration such as 2s";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        }
        if (type == int.class || type == Integer.class || type == long.class) {
            return "must be a whole number";
        }
        return type == String.class ? "must be a text, or a list of texts" : "must have properties of its own";
    }

    private static String kebab(Object constant) {
        return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
