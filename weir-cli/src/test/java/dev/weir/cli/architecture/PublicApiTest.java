package dev.weir.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.docs.Pages;
import dev.weir.http.RateLimitFilter;
import dev.weir.micrometer.LimiterMetrics;
import dev.weir.redis.RedisStore;
import dev.weir.replay.trace.Trace;
import dev.weir.testkit.ManualTimeSource;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The public types and members of each module are those listed in {@code src/test/resources/api}. A new one is a decision: if
 * it is wanted, run this test with {@code -Dapi.write=true} and commit the list.
 */
final class PublicApiTest {
    private static final Path LISTS = Pages.ROOT.resolve("weir-cli/src/test/resources/api");

    static Stream<Arguments> modules() {
        return Stream.of(
                Arguments.of("weir-core", RateLimiter.class),
                Arguments.of("weir-testkit", ManualTimeSource.class),
                Arguments.of("weir-redis", RedisStore.class),
                Arguments.of("weir-http", RateLimitFilter.class),
                Arguments.of("weir-micrometer", LimiterMetrics.class),
                Arguments.of("weir-replay", Trace.class));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void publicTypesAndMembers_areThoseListed(String module, Class<?> member) throws Exception {
        String actual = types(member).map(PublicApiTest::describe).sorted().collect(Collectors.joining("\n"));
        Path list = LISTS.resolve(module + ".txt");
        if (Boolean.getBoolean("api.write")) {
            Files.createDirectories(LISTS);
            Files.writeString(list, actual);
        }

        assertThat(actual).isEqualTo(Files.readString(list));
    }

    /** Java code can call a method that only a hidden parent declares; reflection, and so an expression language, cannot. */
    @ParameterizedTest
    @MethodSource("modules")
    void publicMethods_byReflection_canBeCalled(String module, Class<?> member) throws Exception {
        assertThat(types(member).flatMap(type -> Arrays.stream(type.getMethods())))
                .as(module)
                .allSatisfy(method -> assertThat(method.getDeclaringClass()).isPublic());
    }

    /** The visible types of the packages that a module exports to everyone, whether it is a directory or a jar. */
    private static Stream<Class<?>> types(Class<?> member) throws IOException, URISyntaxException {
        Path location = Path.of(
                member.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleReference module = ModuleFinder.of(location).findAll().iterator().next();
        Set<String> exported = module.descriptor().exports().stream()
                .filter(export -> !export.isQualified())
                .map(export -> export.source())
                .collect(Collectors.toSet());
        try (ModuleReader reader = module.open()) {
            List<String> names = reader.list()
                    .filter(name -> name.endsWith(".class") && !name.equals("module-info.class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .toList();
            return names.stream()
                    .filter(name -> exported.contains(name.substring(0, name.lastIndexOf('.'))))
                    .<Class<?>>map(PublicApiTest::load)
                    .filter(PublicApiTest::isVisible);
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, PublicApiTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return isVisible(type.getModifiers()) && !type.isAnonymousClass() && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String describe(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isListed(constructor)) {
                members.add("  new" + parameters(constructor));
            }
        }
        for (Class<?> declaring = type; declaring != null; declaring = hiddenParent(declaring)) {
            for (Field field : declaring.getDeclaredFields()) {
                if (isListed(field)) {
                    members.add("  " + field.getName() + ": " + name(field.getGenericType()));
                }
            }
            for (Method method : declaring.getDeclaredMethods()) {
                if (isListed(method)) {
                    members.add("  " + (Modifier.isStatic(method.getModifiers()) ? "static " : "") + method.getName()
                            + parameters(method) + ": " + name(method.getGenericReturnType()));
                }
            }
        }
        String kind = type.isAnnotation() ? "annotation" : type.isInterface() ? "interface" : "class";
        return kind + " " + type.getName() + "\n"
                + members.stream().sorted().distinct().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** The parent, if it is not public itself: its public members are then members of the child. */
    private static @Nullable Class<?> hiddenParent(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent == null || isVisible(parent.getModifiers()) ? null : parent;
    }

    private static boolean isListed(Member member) {
        boolean ofObject = member instanceof Method method && isOfObject(method);
        return isVisible(member.getModifiers()) && !member.isSynthetic() && !ofObject;
    }

    private static boolean isOfObject(Method method) {
        try {
            Object.class.getMethod(method.getName(), method.getParameterTypes());
            return true;
        } catch (NoSuchMethodException ours) {
            return false;
        }
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getGenericParameterTypes())
                .map(PublicApiTest::name)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String name(Type type) {
        return type.getTypeName().replaceAll("(?:[a-z]\\w*\\.)+(?=[A-Z])", "");
    }
}
