package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.LogLines;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Names in the environment and in system properties, where Spring Boot ignores unknown ones. */
class UnknownSettingsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class))
            .withPropertyValues("weir.limits.api.limit=1/1m");

    private static ApplicationContextRunner withVariable(ApplicationContextRunner runner, String name, String value) {
        String environment = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        return runner.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .replace(environment, new SystemEnvironmentPropertySource(environment, Map.of(name, value))));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            none,       WEIR_LIMITS_PER_USER_LIMIT, false
            per-user,   WEIR_LIMITS_PER_USER_LIMIT, true
            per-user,   WEIR_LIMITS_PER_USER_LIMIT_0, true
            per_user,   WEIR_LIMITS_PER_USER_LIMIT, true
            perUser,    WEIR_LIMITS_PER_USER_LIMIT, false
            [my.api],   WEIR_LIMITS_MY_API_LIMIT, false
            none,       WEIR_LIMITS_ONE_LIMIT, true
            none,       weir_limits_one_limit, true
            per-key,    WEIR_LIMITS_PER_KEY_PLANS_KEY, true
            none,       WEIR_LIMITS_SERVICE_HOST, true
            none,       WEIR_LIMITS_PORT_8080_TCP_ADDR, true
            none,       WEIR_LIMITS_SERVICE_PORT, true
            none,       WEIR_LIMITS_SERVICE_PORTAL_LIMIT, false
            none,       weir.limits.one.limit, true
            none,       weir.limits.one.limti, false
            none,       WEIR_LIMITS_NONE_LIMT, false
            none,       WEIR_LIMITS_ONE_LIMITS, false
            none,       WEIR_LIMITS_NONE_LIMIT_0, true
            none,       WEIR_LIMITS_NONE_LIMIT_0_, true
            none,       WEIR_LIMITS_NONE_LIMIT_, true
            none,       WEIR_LIMITS_NONE_SHADOW, true
            none,       WEIR_LIMITS_NONE_SHADOW_0, false
            """)
    void variable_ofALimit_mustSetSomething(String entry, String variable, boolean valid) {
        ApplicationContextRunner both = withVariable(runner, variable, variable.contains("SHADOW") ? "true" : "5/1m")
                .withPropertyValues("weir.limits." + entry + ".limit=1/1m", "weir.limits." + entry + ".plans.key=2/1m");

        assertStarts(both, variable, valid);
    }

    @ParameterizedTest
    @CsvSource({
        "api.limt, false",
        "web.limits, false",
        "api.limit, true",
        "api.plans.gold[0], true",
        "web.limit, true",
        "api.shadow[0], false"
    })
    void systemProperty_ofALimit_mustSetSomething(String property, boolean valid) {
        ApplicationContextRunner both = runner.withSystemProperties("weir.limits." + property + "=5/1m");

        assertStarts(both, "weir.limits." + property, valid);
    }

    private static void assertStarts(ApplicationContextRunner application, String name, boolean valid) {
        if (valid) {
            application.run(context -> assertThat(context).hasNotFailed());
        } else {
            assertThat(ConfigurationTest.problems(application))
                    .singleElement()
                    .asString()
                    .contains(name + ": ");
        }
    }

    @Test
    void otherNames_thatSetNothing_areInOneWarning() {
        try (LogLines log = new LogLines("dev.weir.spring")) {
            withVariable(runner, "WEIR_REDIS_URL", "redis://localhost")
                    .withSystemProperties("weir.limit.api=1/1m")
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(log.lines())
                    .containsExactly("WARNING these names set no property of Weir: WEIR_REDIS_URL (did you mean"
                            + " 'WEIR_REDIS_URI'?), weir.limit.api");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WEIR_ON_FAILURE",
                "WEIR_ONFAILURE",
                "weir_on_failure",
                "WEIR_PORT",
                "WEIR_SERVICE_PORT_HTTP",
                "WEIRD"
            })
    void otherNames_thatSetSomethingOrAreNotOfWeir_areNotInTheWarning(String variable) {
        try (LogLines log = new LogLines("dev.weir.spring")) {
            withVariable(runner, variable, "closed")
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(log.lines()).isEmpty();
        }
    }
}
