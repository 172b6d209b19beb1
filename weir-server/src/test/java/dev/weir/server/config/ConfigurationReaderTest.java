package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Limits;
import dev.weir.store.MemoryStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Configuration files: what is read, and what is reported with its place. */
final class ConfigurationReaderTest {
    private static final MemoryStore STORE = MemoryStore.create();
    private static final int MUTANTS = 4_000;
    private static final String MARKS = "\n\t :-[]{}&*!|>'\"%@`#,?~<0x\\\u0000\u20ac";

    private static Configuration read(String text) {
        return read(Map.of("a.yaml", text));
    }

    private static Configuration read(Map<String, String> files) {
        return read(files, false);
    }

    private static Map<Path, String> paths(Map<String, String> files) {
        Map<Path, String> paths = new TreeMap<>();
        files.forEach((name, text) -> paths.put(Path.of(name), text));
        return paths;
    }

    private static Configuration read(Map<String, String> files, boolean mergeDomains) {
        return new ConfigurationReader(false, mergeDomains, STORE::check).read(paths(files));
    }

    static List<String> problems(String text) {
        return problems(Map.of("a.yaml", text));
    }

    private static List<String> problems(Map<String, String> files) {
        return catchThrowableOfType(ConfigurationException.class, () -> read(files)).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    @Test
    void policies_haveOneOrMoreLimits() {
        Configuration read = read("""
                policies:
                  api: 100/1m
                  login: [5/1m, "token-bucket 20/1h burst=3"]
                """);

        assertThat(read.policies()).containsOnlyKeys("api", "login");
        assertThat(read.policies().get("api").limits()).isEqualTo(Limits.parse("100/1m"));
        assertThat(read.policies().get("login").limits()).isEqualTo(Limits.parse("5/1m", "token-bucket 20/1h burst=3"));
        assertThat(read.domains()).isEmpty();
    }

    @Test
    void allKeysOfTheOriginal_areRead() {
        Configuration read = read("""
                domain: d
                descriptors:
                  - &common
                    key: k
                    value: v
                    shadow_mode: Yes
                    quota_mode: false
                    detailed_metric: true
                    value_to_metric: on
                    metadata: {owner: [a, b]}
                    rate_limit:
                      unit: MiNuTe
                      requests_per_unit: 4294967295
                      unlimited: no
                      name: n
                      replaces:
                        - name: other
                    descriptors:
                  - <<: *common
                    value: w*
                    share_threshold: true
                """);

        assertThat(read.domains()).containsOnlyKeys("d");
        assertThat(read.domains().get("d").find("k", "wxy")).isNotNull();
    }

    @Test
    void allProblems_areReportedWithTheirPlaces() {
        assertThat(problems("""
                        domain: d
                        descriptorz: []
                        descriptors:
                          - key: a
                            rate_limit: {unit: fortnight, requests_per_unit: 1}
                          - value: b
                          - key: c
                            rate_limit: {unit: day, requests_per_unit: -1}
                          - key: c
                          - key: d
                            rate_limit: {unlimited: true, unit: day}
                          - key: e
                            rate_limit: {window: 30x, requests_per_unit: 1}
                          - key: f
                            rate_limit: {unit: day, requests_per_unit: 1, algorithm: token-bukket}
                          - key: g
                            shadow_mode: perhaps
                          - key: h
                            rate_limit: {unit: day, name: h, requests_per_unit: 1, replaces: [{name: h}, {}]}
                          - key: i
                            value: v
                            share_threshold: true
                        """))
                .hasSize(12)
                .satisfiesExactly(
                        p -> assertThat(p)
                                .isEqualTo("a.yaml:2:1: unknown key 'descriptorz' (did you mean 'descriptors'?)"),
                        p -> assertThat(p).startsWith("a.yaml:5:24: unit must be second, minute,"),
                        p -> assertThat(p).isEqualTo("a.yaml:6:5: descriptor has an empty key"),
                        p -> assertThat(p)
                                .isEqualTo("a.yaml:8:48: requests_per_unit must be a whole number from 0 to 4294967295,"
                                        + " was '-1'"),
                        p -> assertThat(p).isEqualTo("a.yaml:9:5: duplicate descriptor 'd.c'"),
                        p -> assertThat(p).startsWith("a.yaml:11:41: unit must not be given together with unlimited"),
                        p -> assertThat(p).startsWith("a.yaml:13:17: limit 'sliding-log 1/30x', column 17: "),
                        p -> assertThat(p).startsWith("a.yaml:15:17: limit 'token-bukket 1/86400s', column 1: "),
                        p -> assertThat(p).isEqualTo("a.yaml:17:18: shadow_mode must be true or false, was 'perhaps'"),
                        p -> assertThat(p).isEqualTo("a.yaml:19:71: replaces must not name its own rule"),
                        p -> assertThat(p).isEqualTo("a.yaml:19:82: replaces must name a rule"),
                        p -> assertThat(p).isEqualTo("a.yaml:22:22: share_threshold needs a value with *"));
    }

    @Test
    void withoutADomain_problemsOfDescriptorsAreReported() {
        assertThat(problems("descriptors: [{key: a, rate_limit: {unit: mintue, requests_per_unit: 1}}]"))
                .satisfiesExactlyInAnyOrder(
                        p -> assertThat(p).isEqualTo("a.yaml:1:1: domain must not be empty"),
                        p -> assertThat(p).contains("mintue"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                             | a.yaml: the file is empty",
                "[]                             | a.yaml:1:1: a configuration must be a mapping",
                "descriptors: []                | a.yaml:1:1: domain must not be empty",
                "'domain: [a]'                  | a.yaml:1:9: domain must be a text",
                "'policies: '                   | a.yaml:1:1: there are neither policies nor a domain",
                "'domain: d\t---\tdomain: e'    | a.yaml:3:1: a file has one document; give each domain a file of its own",
                "'{domain: d, domain: e}'       | a.yaml:1:13: duplicate key 'domain'",
                "'domain: d\tx: ['              | a.yaml:2:5:",
                "'{domain: d, descriptors: 5}'  | a.yaml:1:26: descriptors must be a list",
                "'policies: {1a: 5/1m}'         | a.yaml:1:12: the name of a policy must be",
                "'policies: {envoy: 5/1m}'      | a.yaml:1:12: the name of a policy must be",
                "'policies: {a: }'              | a.yaml:1:14: a must not be empty",
                "'policies: {a: 5/x}'           | a.yaml:1:15: limit '5/x', column 3",
                "'{domain: d, descriptors: [{key: a, shadowmode: true}]}' |"
                        + " a.yaml:1:36: unknown key 'shadowmode' (did you mean 'shadow_mode'?)",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1, nam: x}}]}' |"
                        + " a.yaml:1:82: unknown key 'nam' (did you mean 'name'?)",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{name: b, of: c}]}}]}' |"
                        + " a.yaml:1:103: unknown key 'of'",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, window: 30s, requests_per_unit: 1}}]}' |"
                        + " a.yaml:1:68: window must not be given together with unit",
                "'{domain: d, descriptors: [{key: a, rate_limit: {window: 30s margin=5s, requests_per_unit: 1}}]}' |"
                        + " a.yaml:1:57: window must be a duration such as 30s, was '30s margin=5s'",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day}}]}' |"
                        + " a.yaml:1:48: requests_per_unit is missing; 0 denies everything",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: }}]}' |"
                        + " a.yaml:1:78: requests_per_unit is missing; 0 denies everything",
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 1, algorithm: ''gcra burst=9, 9/1s''}}]}' |"
                        + " a.yaml:1:48: limit 'gcra 1/86400s burst=9, 9/1s', column 21",
                "'policies: {a: []}'            | a.yaml:1:15: number of limits must be at least 1"
            })
    void badFile_isReported(String text, String problem) {
        assertThat(problems(text.replace('\t', '\n')))
                .anySatisfy(found -> assertThat(found).startsWith(problem));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 9}}]}' | a.yaml:1:48",
                "'policies: {a: 9/1d}' | a.yaml:1:15"
            })
    void storeCannotHoldTheLimit_isReported(String text, String place) {
        ConfigurationReader reader = new ConfigurationReader(false, false, limits -> {
            throw new IllegalArgumentException("limit is too large");
        });

        assertThat(catchThrowableOfType(
                                ConfigurationException.class, () -> reader.read(Map.of(Path.of("a.yaml"), text)))
                        .problems())
                .singleElement()
                .hasToString(place + ": limit is too large");
    }

    @Test
    void policyTwice_isReported() {
        String text = "policies: {a: 9/1d}\n";

        assertThat(problems(new TreeMap<>(Map.of("a.yaml", text, "b.yaml", text))))
                .containsExactly("b.yaml:1:12: duplicate policy 'a'");
    }

    @Test
    void misspeltRoot_isTheOnlyProblem() {
        assertThat(problems("\npolices: {a: 5/1m}\n"))
                .containsExactly("a.yaml:2:1: unknown key 'polices' (did you mean 'policies'?)");
    }

    @Test
    void limitsOfAList_areEachReported() {
        assertThat(problems("policies:\n  a: [0/1m, 5/1m, foo 1/1s]\n"))
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("a.yaml:2:7: limit '0/1m'"),
                        second -> assertThat(second).startsWith("a.yaml:2:19: limit 'foo 1/1s'"));
    }

    @Test
    void domainTwice_isReported() {
        String text = "domain: d\n";

        assertThat(problems(Map.of("a.yaml", text, "b.yaml", text)))
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem)
                                .matches(
                                        "[ab]\\.yaml:1:9: duplicate domain 'd'; --merge-domains puts its descriptors together"));
    }

    @Test
    void domainTwice_merged_hasTheDescriptorsOfBoth() {
        String first = "domain: d\ndescriptors: [{key: k, value: a*}, {key: l}]\n";
        String second = "domain: d\ndescriptors: [{key: k, value: b*}]\n";

        RuleLevel merged =
                read(Map.of("a.yaml", first, "b.yaml", second), true).domains().get("d");

        assertThat(merged.find("k", "ax")).isNotNull();
        assertThat(merged.find("k", "bx")).isNotNull();
        assertThat(merged.find("l", "x")).isNotNull();
        Map<String, String> twice = new TreeMap<>(Map.of("a.yaml", first, "b.yaml", first));
        assertThat(catchThrowableOfType(ConfigurationException.class, () -> read(twice, true))
                        .problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "b.yaml:2:15: duplicate descriptor 'd.k_a*'", "b.yaml:2:36: duplicate descriptor 'd.l'");
    }

    @Test
    void endlessNesting_isReported() {
        assertThat(problems("[".repeat(1_000_000))).singleElement().asString().contains("nested too deep");
    }

    @Test
    void mutatedFiles_areReadOrReported() {
        String example = Resources.text("example.yaml");
        long seed = System.nanoTime(); // other files in each run
        Random random = new Random(seed);
        int reported = 0;
        for (int i = 0; i < MUTANTS; i++) {
            StringBuilder text = new StringBuilder(example);
            for (int edits = random.nextInt(1, 4); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                char c = MARKS.charAt(random.nextInt(MARKS.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.insert(at, c);
                    case 1 -> text.setCharAt(at, c);
                    default -> text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
                }
            }
            try {
                assertThat(read(text.toString())).isNotNull();
            } catch (ConfigurationException e) {
                assertThat(e.problems()).isNotEmpty();
                reported++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", text:\n" + text, e);
            }
        }
        assertThat(reported).as("seed %d", seed).isBetween(MUTANTS / 10, MUTANTS * 19 / 20);
    }

    @Test
    void deepNesting_andLoops_areReported() {
        assertThat(problems("domain: d\ndescriptors: &loop\n  - key: k\n    descriptors: *loop\n"))
                .contains("a.yaml:3:5: descriptors must be nested at most 32 deep");
    }

    @Test
    void nesting_32Deep_isRead() {
        String file = "{domain: d" + ", descriptors: [{key: k".repeat(32) + "}]".repeat(32) + "}";

        assertThat(read(file).domains()).containsOnlyKeys("d");
        assertThat(problems(file.replace("key: k}", "key: k, descriptors: [{key: l}]}")))
                .singleElement()
                .asString()
                .endsWith("descriptors must be nested at most 32 deep");
    }

    @Test
    void emptyAlgorithm_isTheDefault() {
        String file =
                "{domain: d, descriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 3, algorithm: ''}}]}";

        Configuration compatible =
                new ConfigurationReader(true, false, STORE::check).read(paths(Map.of("a.yaml", file)));

        assertThat(compatible.rules())
                .singleElement()
                .satisfies(rule -> assertThat(rule.limits()).hasToString("[fixed-window 3/1d]"));
    }

    @Test
    void tooManyDescriptors_areReportedOnce() {
        StringBuilder text = new StringBuilder("domain: d\ndescriptors:\n");
        for (int i = 0; i <= 100_000; i++) {
            text.append("  - {key: k").append(i).append("}\n");
        }

        assertThat(problems(Map.of("a.yaml", text.toString())))
                .containsExactly("a.yaml:100003:5: there must be at most 100000 descriptors");
    }

    @Test
    void aliases_ofOneLimit_mayBeMany() {
        StringBuilder rules = new StringBuilder(
                "domain: d\ndescriptors:\n  - key: k\n    rate_limit: &limit {unit: day, requests_per_unit: 5}\n");
        for (int i = 1; i <= 1_000; i++) {
            rules.append("  - {key: k").append(i).append(", rate_limit: *limit}\n");
        }

        assertThat(read(rules.toString()).domains()).containsOnlyKeys("d");
        assertThat(problems(rules + "  - {key: l, rate_limit: *limit}\n"))
                .containsExactly("a.yaml: Number of aliases for non-scalar nodes exceeds the specified max=1000");
    }

    @Test
    void aliases_ofThemselves_eachPlaceIsReportedOnce() {
        assertThat(problems("""
                        domain: d
                        descriptors: &all
                          - {key: a, descriptors: *all}
                          - {key: b, descriptors: *all}
                        """))
                .containsExactly(
                        "a.yaml:3:5: descriptors must be nested at most 32 deep",
                        "a.yaml:3:5: there must be at most 100000 descriptors",
                        "a.yaml:4:5: descriptors must be nested at most 32 deep");
    }

    @Test
    void controlCharacter_isReportedWithItsPlace() {
        assertThat(problems("domain: d\n# \ud83d\ude00\nx: a\u0007b\n"))
                .containsExactly("a.yaml:3:5: U+0007 is not allowed");
        assertThat(problems("\u0007")).containsExactly("a.yaml:1:1: U+0007 is not allowed");
    }
}
