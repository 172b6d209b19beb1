package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.config.ConfigurationSource;
import dev.weir.server.config.Resources;
import dev.weir.store.MemoryStore;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The configuration files and the metrics on the pages of the server are those that are tested. */
final class ServerPagesTest extends ServerTest {
    private static final Pattern KEY = Pattern.compile("(?m)^ *- key: (\\S+)$");
    private static final Pattern BODY = Pattern.compile("/v1/decide -d '(.*)'");
    private static final Pattern METER = Pattern.compile("(?m)^\\| `(weir\\.[a-z.]+)`");
    private static final Pattern METRIC = Pattern.compile("`(weir_[a-z_]+)`");
    private static final Pattern QUERY = Pattern.compile("\\b(weir_\\w+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)[!=]");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+)");

    private static String text(String page) throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("README.md"))) {
            root = root.getParent();
        }
        return Files.readString(root.resolve("docs").resolve(page));
    }

    /** The blocks of YAML on a page. */
    private static List<String> yaml(String page) throws IOException {
        List<String> blocks = new ArrayList<>();
        for (String part : text(page).split("\n```yaml\n", -1)) {
            blocks.add(part.substring(0, Math.max(0, part.indexOf("\n```") + 1)));
        }
        return blocks.subList(1, blocks.size());
    }

    private static Set<String> keys(String rules) {
        return found(KEY, rules);
    }

    /** Returns the name of a metric as a meter has it; an ending of Prometheus may follow. */
    private static String dotted(String metric) {
        return metric.replace('_', '.');
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void example_isOnThePage() throws IOException {
        assertThat(yaml("server.md").get(0)).isEqualTo(Resources.text("example.yaml"));
    }

    @Test
    void candidates_areThoseOfThePage() throws IOException {
        start(yaml("server.md").get(1));

        assertThat(json(get("/v1/candidates")).getJsonArray("candidates"))
                .extracting(
                        row -> ((JsonObject) row).getString("rule") + " " + ((JsonObject) row).getString("candidate"))
                .containsExactly("api sliding-log 60/1m", "edge.remote_address sliding-log 60/1m, sliding-log 10/1s");
    }

    @Test
    void example_limitsByItsRules() throws IOException {
        start(new ServerSettings());

        assertThat(envoy().allowed("example", "remote_address=192.0.2.1")).isEqualTo(60);
        assertThat(envoy().allowed("example", "path=/api/a")).isBetween(20, 22);
        assertThat(envoy().brief("example", "path=/other")).isEqualTo("OK: OK 4");
        assertThat(decide("{\"key\":\"k\",\"policy\":\"login\",\"permits\":6}").statusCode())
                .isEqualTo(429);
    }

    @Test
    void metrics_areThoseOfThePages() throws IOException {
        start(
                new ServerSettings().adminToken(token("secret")),
                yaml("server.md").get(1));
        envoy().allowed("edge", "remote_address=192.0.2.1");
        get("/healthz");
        Set<String> meters = found(METER, text("metrics.md"));
        Set<String> own = found(METRIC, text("server.md"));
        assertThat(own.remove("weir_tls_valid")).isTrue(); // needs certificates

        Set<String> exported = found(TYPE, get("/metrics").body());

        assertThat(exported).containsAll(own);
        exported.removeIf(name -> own.stream().anyMatch(name::startsWith)); // also the longest time of a timer
        assertThat(exported).allSatisfy(name -> assertThat(meters).anyMatch(dotted(name)::startsWith));
        assertThat(meters)
                .allSatisfy(meter ->
                        assertThat(exported).anyMatch(name -> dotted(name).startsWith(meter)));
    }

    @Test
    void grafanaDashboard_queriesSeriesThatExist() throws IOException {
        start(yaml("server.md").get(1));
        envoy().allowed("edge", "remote_address=192.0.2.1");
        get("/healthz");
        List<String> series = get("/metrics").body().lines().toList();

        List<MatchResult> queries =
                QUERY.matcher(text("grafana-dashboard.json")).results().toList();
        assertThat(queries).hasSizeGreaterThan(20);
        for (MatchResult query : queries) {
            Pattern expected = Pattern.compile(query.group(1) + "[{ ].*");
            List<String> found =
                    series.stream().filter(expected.asMatchPredicate()).toList();
            assertThat(found).as(query.group()).isNotEmpty();
            for (String label : found(LABEL, query.group(2))) {
                assertThat(found)
                        .as(query.group())
                        .allMatch(line -> label.equals("job") || line.contains(label + "=\""));
            }
        }
    }

    @Test
    void envoyPage_rules_limitAsThePageSays() throws IOException {
        start(yaml("envoy.md").get(0));

        assertThat(envoy().allowed("edge", "masked_remote_address=192.0.2.1/32"))
                .isEqualTo(100);
        assertThat(envoy().allowed("edge", "generic_key=login,masked_remote_address=192.0.2.1/32"))
                .isEqualTo(5);
        assertThat(envoy().brief("edge", "generic_key=other,masked_remote_address=192.0.2.1/32"))
                .isEqualTo("OK: OK 0");
        assertThat(envoy().brief("elsewhere", "masked_remote_address=192.0.2.1/32"))
                .isEqualTo("OK: OK 0");
    }

    @Test
    void envoyPage_partsForEnvoy_nameTheRules() throws IOException {
        List<String> blocks = yaml("envoy.md");
        assertThat(blocks).hasSize(5);
        Load load = new Load(LoadSettings.builder().build());
        assertThat(load.loadFromString(blocks.get(1))).isInstanceOf(Map.class);
        assertThat(load.loadFromString(blocks.get(2))).isInstanceOf(Map.class);

        assertThat(blocks.get(1)).contains("domain: edge\n", "port_value: 8081", "service_name: ratelimit\n");
        assertThat(keys(blocks.get(0))).containsExactly("generic_key", "masked_remote_address");
        assertThat(blocks.get(2))
                .contains(
                        "- masked_remote_address: {v6_prefix_mask_len: 64}", "generic_key: {descriptor_value: login}");
    }

    @Test
    void envoyPage_costsKnownAfterwards_areCharged() throws IOException {
        List<String> blocks = yaml("envoy.md");
        start(blocks.get(3));

        assertThat(keys(blocks.get(3))).containsExactly("customer");
        assertThat(blocks.get(4)).contains("number: 0", "descriptor_key: customer", "apply_on_stream_done: true");
        assertThat(tokens(0)).isEqualTo("OK: OK 100000"); // looks
        assertThat(tokens(60_000)).isEqualTo("OK: OK 40000");
        assertThat(tokens(0)).isEqualTo("OK: OK 40000");
        assertThat(tokens(150_000)).isEqualTo("OVER_LIMIT: OVER_LIMIT 0"); // Envoy ignores this
        assertThat(tokens(0)).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
    }

    private String tokens(int hits) {
        return EnvoyClient.brief(envoy().send(EnvoyClient.request("models")
                .addDescriptors(EnvoyClient.hits("customer=a", hits))
                .build()));
    }

    @Test
    void recipesPage_tokens_areChargedAfterwards() throws IOException {
        start("policies: {tokens: 100000/1m count=attempts}");
        List<String> bodies = BODY.matcher(text("recipes.md"))
                .results()
                .map(body -> body.group(1))
                .toList();

        assertThat(bodies).hasSize(2);
        assertThat(json(decide(bodies.get(0))).getInteger("remaining")).isEqualTo(100_000);
        assertThat(json(decide(bodies.get(1))).getInteger("remaining")).isEqualTo(97_850);
    }

    @Test
    void recipesPage_exemptAddress_isUnlimited() throws IOException {
        List<String> blocks = yaml("recipes.md");
        start(blocks.get(blocks.size() - 1));

        assertThat(envoy().allowed("edge", "masked_remote_address=192.0.2.1/32"))
                .isEqualTo(100);
        assertThat(envoy().brief("edge", "masked_remote_address=192.0.2.10/32")).isEqualTo("OK: OK 4294967295");
        assertThat(decide("{\"key\":\"k\",\"policy\":\"internal\",\"permits\":1000}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void nginxPage_limits_areRead() throws IOException {
        try (MemoryStore store = MemoryStore.create()) {
            assertThat(new ConfigurationSource(null, false, false)
                            .read(
                                    Map.of(
                                            Path.of("limits.yaml"),
                                            yaml("nginx.md").get(0)),
                                    store::check)
                            .policies())
                    .containsOnlyKeys("page");
        }
    }
}
