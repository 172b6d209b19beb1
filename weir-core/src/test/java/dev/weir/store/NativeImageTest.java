package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** In a native image, a handle finds a field only if the metadata in the jar names it. */
final class NativeImageTest {
    private static final Path CLASSES = Path.of("target/classes");
    private static final Path METADATA =
            CLASSES.resolve("META-INF/native-image/dev.weir/weir-core/reachability-metadata.json");

    private static List<Class<?>> classes() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES.resolve("dev"))) {
            return files.map(file -> CLASSES.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("-info"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .map(NativeImageTest::load)
                    .collect(Collectors.toList());
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    @Test
    void metadata_namesTheFieldsThatHandlesAccess() throws Exception {
        List<String> accessed = new ArrayList<>();
        for (Class<?> type : classes()) {
            for (Field declared : type.getDeclaredFields()) {
                if (declared.getType() == VarHandle.class) {
                    declared.setAccessible(true);
                    VarHandle handle = (VarHandle) declared.get(null);
                    if (!handle.coordinateTypes().get(0).isArray()) {
                        accessed.add("{\"type\": \"" + type.getName() + "\", \"fields\": [{\"name\": \""
                                + handle.describeConstable().orElseThrow().constantName() + "\"}]}");
                    }
                }
            }
        }

        List<String> named = Files.readString(METADATA)
                .lines()
                .map(line -> line.strip().replaceAll(",$", ""))
                .filter(line -> line.startsWith("{\"type\""))
                .toList();
        assertThat(accessed).isNotEmpty();
        assertThat(named).containsExactlyInAnyOrderElementsOf(accessed);
    }
}
