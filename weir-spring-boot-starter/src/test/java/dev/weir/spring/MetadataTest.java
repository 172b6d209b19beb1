package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata with which editors complete and explain the properties. */
class MetadataTest {
    private final JsonNode metadata = read();

    private static JsonNode read() {
        try (InputStream in =
                WeirProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return JsonMapper.builder().build().readTree(Objects.requireNonNull(in));
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private Map<String, JsonNode> properties() {
        return StreamSupport.stream(metadata.get("properties").spliterator(), false)
                .collect(Collectors.toMap(node -> node.get("name").asString(), Function.identity()));
    }

    @Test
    void properties_all_areDescribed() {
        Map<String, JsonNode> described = properties();

        assertThat(described.keySet())
                .contains("management.health.weir.enabled")
                .containsAll(names("weir", WeirProperties.class));
        assertThat(described)
                .allSatisfy((name, node) ->
                        assertThat(node.get("description").asString()).as(name).matches("[A-Z].*\\."));
    }

    /** Returns the names of the properties of a record; records in it are groups of properties. */
    private static List<String> names(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "."
                    + component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
            if (component.getType().isRecord()) {
                names.addAll(names(name, component.getType()));
            } else {
                names.add(name);
            }
        }
        return names;
    }

    @Test
    void limits_metadata_namesTheTypeOfAnEntry() {
        String type = properties().get("weir.limits").get("type").asString();

        assertThat(type).isEqualTo("java.util.Map<java.lang.String," + WeirProperties.Limiter.class.getName() + ">");
    }

    @Test
    void hints_allOfThem_areForProperties() {
        assertThat(metadata.get("hints"))
                .isNotEmpty()
                .allSatisfy(hint ->
                        assertThat(properties()).containsKey(hint.get("name").asString()));
    }
}
