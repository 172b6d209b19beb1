package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.spring.internal.InvalidConfigurationAnalyzer;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.stereotype.Service;

/** The page docs/spring.md: its YAML is loaded, its Java is a region of this class, and its table has all properties. */
class SpringPageTest {
    private static final Path PAGE = Path.of("../docs/spring.md");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(weir\\.[^`]+)` \\|");

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class, WeirServletAutoConfiguration.class))
            .withBean(Store.class, MemoryStore::create);

    private static String page() {
        return read(PAGE);
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    static List<String> yaml() {
        return YAML.matcher(page()).results().map(block -> block.group(1)).toList();
    }

    /** The YAML of this page, and the configurations of Weir on other pages. */
    static List<String> yamlOfAllPages() {
        List<String> all = new ArrayList<>(yaml());
        for (String page : List.of(
                "../README.md", "../docs/spring-comparison.md", "../docs/spring-gateway.md", "../docs/recipes.md")) {
            YAML.matcher(read(Path.of(page)))
                    .results()
                    .map(block -> block.group(1))
                    .filter(block -> block.startsWith("weir:"))
                    .forEach(all::add);
        }
        return all;
    }

    private WebApplicationContextRunner with(String yaml) {
        return runner.withInitializer(context -> {
            try {
                new YamlPropertySourceLoader()
                        .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                        .forEach(context.getEnvironment().getPropertySources()::addFirst);
            } catch (IOException failure) {
                throw new AssertionError(failure);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("yamlOfAllPages")
    void yaml_onThePage_isValid(String yaml) {
        with(yaml).run(context -> assertThat(context).hasNotFailed());
    }

    static final class Customers {
        boolean hasPaid(String key) {
            return key.equals("customer-8");
        }
    }

    static class Configuration {
        // region
        @Bean
        Plans plans(Customers customers) {
            return (limiter, key) -> customers.hasPaid(key) ? "premium" : null;
        }
        // endregion
    }

    // region
    @Service
    static class Mailer {
        private final RateLimiter perRecipient;

        Mailer(RateLimiters limiters) {
            perRecipient = limiters.get("mail");
        }

        boolean send(String recipient) {
            return perRecipient.tryAcquire(recipient).allowed();
        }
    }
    // endregion

    @Test
    void plans_onThePage_completeTheLists() {
        String yaml = yaml().stream()
                .filter(block -> block.contains("premium:"))
                .findFirst()
                .orElseThrow();
        with(yaml)
                .withBean(Customers.class)
                .withUserConfiguration(Configuration.class)
                .run(context -> {
                    RateLimiter api = context.getBean(RateLimiters.class).get("api");
                    assertThat(api.limits("customer-7")).isEqualTo(Limits.parse("1000/1m", "100000/1d"));
                    assertThat(api.limits("customer-8")).isEqualTo(Limits.parse("1000/1m", "100000/1d"));
                    assertThat(api.limits("customer-1")).isEqualTo(Limits.parse("100/1m"));
                });
    }

    @Test
    void code_onThePage_isLimited() {
        runner.withPropertyValues("weir.limits.mail.limit=3/1h")
                .withBean(Mailer.class)
                .run(context -> {
                    Mailer mailer = context.getBean(Mailer.class);
                    assertThat(Stream.generate(() -> mailer.send("ann@example.org"))
                                    .limit(4))
                            .containsExactly(true, true, true, false);
                });
    }

    @Test
    void properties_table_hasAllOfThem() {
        List<String> rows = ROW.matcher(page())
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();

        assertThat(rows).containsExactlyInAnyOrderElementsOf(names("weir", WeirProperties.class));
    }

    private static List<String> names(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "."
                    + component.getName().replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
            if (name.equals("weir.limits")) {
                names.addAll(names("weir.limits.NAME", WeirProperties.Limiter.class));
            } else if (component.getType().isRecord()) {
                names.addAll(names(name, component.getType()));
            } else {
                names.add(name.endsWith(".plans") ? name + ".PLAN" : name);
            }
        }
        return names;
    }

    @Test
    void problems_onThePage_areThoseReported() {
        runner.withPropertyValues("weir.limits.api.limit=0/1m", "weir.limits.api.paht=/api/**")
                .run(context -> {
                    var report = new InvalidConfigurationAnalyzer().analyze(context.getStartupFailure());
                    assertThat(report.getDescription().lines())
                            .allSatisfy(line -> assertThat(page()).contains(line));
                });
    }
}
