package dev.weir.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a configuration contains. */
final class ConfigurationTest {
    private static Configuration read(String text) {
        return new ConfigurationReader(false, false, limits -> {}).read(Map.of(Path.of("limits.yaml"), text));
    }

    @Test
    void rules_policiesAreFirst_andWhatIsUnlimitedIsLeftOut() {
        Configuration configuration = read("""
                policies: {login: 5/1m, api: {limits: 3/1h, candidate: 2/1h}}
                domain: edge
                descriptors:
                  - key: user
                    rate_limit: {unit: hour, requests_per_unit: 2}
                  - key: admin
                    rate_limit: {unlimited: true}
                """);

        assertThat(configuration.rules())
                .extracting(rule -> rule.limiter() + " " + rule.path() + " " + rule.candidate())
                .containsExactly("api api [sliding-log 2/1h]", "login login null", "envoy edge.user null");
    }
}
