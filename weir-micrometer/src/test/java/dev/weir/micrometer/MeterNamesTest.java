package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.store.MemoryStore;
import dev.weir.store.StoreException;
import dev.weir.testkit.ManualTimeSource;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The dashboard and the page name the meters that there are, with their tags. */
final class MeterNamesTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern QUERIED = Pattern.compile("\\b(weir_\\w+)(?:\\{([^}]*)\\})?");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** Registers every meter that there is. */
    @BeforeEach
    void register() {
        StoreMetrics memory = new StoreMetrics(registry, "memory");
        memory.monitor(MemoryStore.create());
        RateLimiter api = RateLimiter.builder()
                .name("api")
                .limit("1/1s")
                .store(new FailingStore(new ManualTimeSource(), new StoreException("down")))
                .whenStoreFails(FailurePolicy.local(1))
                .listener(new LimiterMetrics(registry))
                .build();
        api.tryAcquire("key");
    }

    /** Other queries are for metrics of the server, where a test checks their names. */
    @Test
    void dashboard_queriesEachMeterByItsTags() throws IOException {
        Set<String> series = registry.scrape()
                .lines()
                .filter(line -> line.startsWith("weir_"))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> names =
                series.stream().map(line -> line.replaceAll("[{ ].*", "")).collect(Collectors.toSet());
        Set<String> queried = new TreeSet<>();
        for (String expression : strings(DOCS.resolve("grafana-dashboard.json"), "expr", "query")) {
            Matcher matcher = QUERIED.matcher(expression);
            while (matcher.find()) {
                queried.add(matcher.group(1));
                if (!names.contains(matcher.group(1))) {
                    continue;
                }
                for (String tag : tags(expression, matcher.group(2))) {
                    assertThat(series)
                            .as("%s with tag %s", matcher.group(1), tag)
                            .anyMatch(line -> line.matches(matcher.group(1) + "\\{.*\\b" + tag + "=\".*"));
                }
            }
        }

        assertThat(queried).containsAll(names);
    }

    /** Returns the tags that a query names: those of its filter and of its grouping. */
    private static Set<String> tags(String expression, String filter) {
        Set<String> tags = new TreeSet<>();
        Matcher filtered = Pattern.compile("(\\w+)\\s*[!=]").matcher(filter == null ? "" : filter);
        while (filtered.find()) {
            tags.add(filtered.group(1));
        }
        Matcher grouped = Pattern.compile("by \\(([^)]*)\\)").matcher(expression);
        while (grouped.find() && filter != null) {
            tags.addAll(Set.of(grouped.group(1).split(",\\s*")));
        }
        tags.remove("job"); // added by Prometheus
        return tags;
    }

    /** Several applications may report to one Prometheus. */
    @Test
    void dashboard_filtersEachSeriesByJob() throws IOException {
        for (String expression : strings(DOCS.resolve("grafana-dashboard.json"), "expr")) {
            assertThat(QUERIED.matcher(expression).results())
                    .as(expression)
                    .allSatisfy(series -> assertThat(series.group(2)).contains("job=~\"$job\""));
        }
    }

    @Test
    void page_listsEveryMeter() throws IOException {
        String page = Files.readString(DOCS.resolve("metrics.md"));
        Set<String> listed = new TreeSet<>();
        Matcher matcher = Pattern.compile("^\\| `(weir\\.[a-z.]+)` \\|", Pattern.MULTILINE)
                .matcher(page);
        while (matcher.find()) {
            listed.add(matcher.group(1));
        }

        assertThat(listed)
                .isEqualTo(registry.getMeters().stream()
                        .map(Meter::getId)
                        .map(Meter.Id::getName)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Returns the values of properties with some names. */
    private static Set<String> strings(Path file, String... names) throws IOException {
        Set<String> strings = new TreeSet<>();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), Files.readString(file))) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING
                        && Arrays.asList(names).contains(parser.currentName())) {
                    strings.add(parser.getString());
                }
            }
        }
        return strings;
    }
}
