package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Decision;
import dev.weir.Limits;
import dev.weir.RateLimiter;
import dev.weir.micrometer.StoreMetrics;
import dev.weir.spring.internal.InvalidConfigurationException;
import dev.weir.spring.internal.Problems;
import dev.weir.store.MemoryStore;
import dev.weir.store.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;

/** What is checked when an application starts, and how it is reported. */
class ConfigurationTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(WeirAutoConfiguration.class));

    private List<String> problems(String... properties) {
        return problems(runner, properties);
    }

    /** Returns what keeps an application from starting. */
    static List<String> problems(ApplicationContextRunner runner, String... properties) {
        AtomicReference<List<String>> found = new AtomicReference<>(List.of());
        runner.withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            Throwable cause =
                    NestedExceptionUtils.getMostSpecificCause(Objects.requireNonNull(context.getStartupFailure()));
            assertThat(cause).isInstanceOf(InvalidConfigurationException.class);
            found.set(((InvalidConfigurationException) cause).problems());
        });
        return found.get();
    }

    @Test
    void start_manyProblems_allAreReported() {
        assertThat(problems(
                        "weir.limits.api.limit=0/1m",
                        "weir.limits.api.path=api/**",
                        "weir.limits.api.max-wait=soon",
                        "weir.limits.login.limit=5/1m",
                        "weir.limits.login.shadow=perhaps",
                        "weir.limits.login.paht=/login",
                        "weir.limits.login.plans.gold=9/1m",
                        "weir.plans.gold=ann",
                        "weir.plans.silver=bob,ann",
                        "weir.plans.glod=eve",
                        "weir.on-failure=ajar",
                        "weir.store=disk",
                        "weir.headers=rate-limit,none",
                        "weir.filter-order=first"))
                .containsExactlyInAnyOrder(
                        "weir.limits.api.limit: limit '0/1m', column 1: permits must be at least 1, was 0",
                        "weir.limits.api.path: must begin with '/', was 'api/**'",
                        "weir.limits.api.max-wait: must be a duration such as 2s, was 'soon'",
                        "weir.limits.login.shadow: must be true or false, was 'perhaps'",
                        "weir.limits.login.paht: unknown property",
                        "weir.plans.silver: no limiter has limits for this plan",
                        "weir.plans.glod: no limiter has limits for this plan (did you mean 'gold'?)",
                        "weir.plans.silver: a key can have one plan, but 'ann' has also gold",
                        "weir.on-failure: must be open, closed, local or a share such as local(0.25), was 'ajar'",
                        "weir.store: must be one of memory, redis, was 'disk'",
                        "weir.headers: must be one of rate-limit, rate-limit-separate, x-rate-limit, was 'rate-limit,none'",
                        "weir.filter-order: must be a whole number, was 'first'");
    }

    @Test
    void springBoot3_isRefused() {
        Problems problems = new Problems();
        WeirAutoConfiguration.checkVersion("4.0.0", problems);
        problems.throwIfAny();

        WeirAutoConfiguration.checkVersion("3.5.16", problems);

        assertThatThrownBy(problems::throwIfAny)
                .hasMessageContaining("weir-spring-boot-starter: needs Spring Boot 4, was 3.5.16");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            weir.limits.api.path=/api | weir.limits.api.limit: a limit is missing, such as 100/1m
            weir.limits.api.path= | weir.limits.api.path: must not be empty; an entry without it is for code and limits no requests
            weir.limits.api.max-wait= | weir.limits.api.max-wait: has no value
            weir.limits.api=5 | weir.limits.api: must have properties of its own
            weir.limits.api.limit=10 | weir.limits.api.limit: limit '10', column 1: no '/' in '10'; expected PERMITS/WINDOW such as 100/1m
            weir.limits.1api.limit=1/1m | weir.limits.1api: a name must be a letter and up to 63 more letters, digits, '.', '_' or '-'
            weir.client-address.header=forwarded | weir.client-address.trusted-proxies: must name your proxies, such as 10.0.0.0/8, because there is a header
            weir.client-address.trusted-proxies=10.0.0.0/8 | weir.client-address.header: must be x-forwarded-for or forwarded, because there are trusted-proxies
            weir.client-address.ipv6-prefix=0 | weir.client-address.ipv6-prefix: bits must be between 1 and 128, was 0
            weir.redis.uri=redis.example.org | weir.redis.uri: uri must be like redis://host:6379, rediss://, redis-sentinel://host:26379/0#name or redis-cluster://host:7000,host:7001; it is none of these
            weir.store=redis | weir.redis.uri: must be set if weir.store is redis, because there is no LettuceConnectionFactory
            """)
    void start_oneProblem_isReported(String property, String problem) {
        assertThat(problems(property)).contains(problem);
    }

    @Test
    void list_asOneValueAndByElements_isReported() {
        assertThat(problems("weir.limits.api.limit=1/1m", "weir.limits.api.limit[0]=2/1m"))
                .containsExactly("weir.limits.api.limit: is set both as one value and by its elements, such as"
                        + " weir.limits.api.limit[0]");
    }

    @Test
    void names_thatAreSpellingsOfOne_areReported() {
        assertThat(problems(
                        "weir.limits.perUser.limit=1/1m",
                        "weir.limits.per-user.limit=2/1m",
                        "weir.limits.api.limit=3/1m",
                        "weir.limits.api.plans.gold_1=4/1m",
                        "weir.limits.api.plans.gold1=5/1m",
                        "weir.plans.gold_1=ann",
                        "weir.plans.gold1=bob"))
                .containsExactlyInAnyOrder(
                        "weir.plans.gold1: differs from 'gold_1' only in case, '-' or '_'",
                        "weir.plans.gold1: a key can have one plan, but 'bob' has also gold_1", // both are given bob
                        "weir.limits.per-user: differs from 'perUser' only in case, '-' or '_'",
                        "weir.limits.api.plans.gold1: differs from 'gold_1' only in case, '-' or '_'");
    }

    @Test
    void rules_moreThanAreDecidedTogether_areReported() {
        List<String> properties = new ArrayList<>(
                List.of("weir.limits.tried.limit=1/1m", "weir.limits.tried.path=/**", "weir.limits.tried.shadow=true"));
        for (int i = 0; i < 64; i++) {
            properties.addAll(List.of("weir.limits.a" + i + ".limit=1/1m", "weir.limits.a" + i + ".path=/**"));
        }
        runner.withPropertyValues(properties.toArray(String[]::new))
                .run(context -> assertThat(context).hasNotFailed());

        properties.addAll(List.of("weir.limits.one-more.limit=1/1m", "weir.limits.one-more.path=/**"));

        assertThat(problems(properties.toArray(String[]::new)))
                .containsExactly("weir.limits: at most 64 limits without shadow may have a path");
    }

    @Test
    void list_withAGap_isReported() {
        ApplicationContextRunner otherPlace = runner.withSystemProperties("weir.limits.api.path[0]=/a");

        assertThat(problems(otherPlace, "weir.limits.api.limit=1/1m", "weir.limits.api.path[1]=/b"))
                .containsExactly(
                        "weir.limits.api.path[1]: has no element before it; a list comes from one place, which must have all elements from [0] on");
    }

    @Test
    void trustedProxies_noNetwork_isReported() {
        assertThat(problems("weir.client-address.header=forwarded", "weir.client-address.trusted-proxies=proxy"))
                .containsExactly(
                        "weir.client-address.trusted-proxies: network must be an address or like 10.0.0.0/8, was proxy");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            header=via     | trusted-proxies=10.0.0.0/33 | header: must be one of x-forwarded-for, forwarded, was 'via' | trusted-proxies: network must be an address or like 10.0.0.0/8, was 10.0.0.0/33
            header=via     | ipv6-prefix=0               | header: must be one of x-forwarded-for, forwarded, was 'via' | trusted-proxies: must name your proxies, such as 10.0.0.0/8, because there is a header
            ipv6-prefix=64 | trusted-proxies=10.0.0.0/33 | header: must be x-forwarded-for or forwarded, because there are trusted-proxies | trusted-proxies: network must be an address or like 10.0.0.0/8, was 10.0.0.0/33
            """)
    void clientAddress_headerAndProxies_eachIsReportedOnce(String one, String other, String header, String proxies) {
        assertThat(problems("weir.client-address." + one, "weir.client-address." + other))
                .filteredOn(problem -> !problem.contains("ipv6-prefix"))
                .containsExactlyInAnyOrder("weir.client-address." + header, "weir.client-address." + proxies);
    }

    @Test
    void clientAddress_gapInTheProxies_isReportedOnce() {
        ApplicationContextRunner otherPlace =
                runner.withSystemProperties("weir.client-address.trusted-proxies[0]=10.0.0.1");

        assertThat(problems(
                        otherPlace,
                        "weir.client-address.header=forwarded",
                        "weir.client-address.trusted-proxies[1]=10.0.0.2"))
                .singleElement()
                .asString()
                .startsWith("weir.client-address.trusted-proxies[1]: has no element before it");
    }

    @Test
    void redis_settingsOutOfRange_areReported() {
        assertThat(problems(
                        "weir.redis.uri=redis://localhost",
                        "weir.redis.timeout=0s",
                        "weir.redis.prefix=a b",
                        "weir.redis.max-in-flight=0",
                        "weir.redis.denial-memory=2h"))
                .containsExactly(
                        "weir.redis.timeout: timeout must be from 1 ms to 1 hour, was PT0S",
                        "weir.redis.prefix: prefix must be 1 to 64 letters, digits, '.', '_', ':' or '-', was 'a b'",
                        "weir.redis.max-in-flight: maxInFlight must be at least 1, was 0",
                        "weir.redis.denial-memory: denialMemory must be from 0 ms to 1 hour, was PT2H");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            path=/a%20b | path | must be decoded, and have neither parameters nor a query, was '/a%20b'
            path=/a;v=1 | path | must be decoded, and have neither parameters nor a query, was '/a;v=1'
            path=/search?q=* | path | must be decoded, and have neither parameters nor a query, was '/search?q=*'
            path=/{a | path | Expected close capture character after variable name }, was '/{a'
            method=GE T | method | must be a method such as POST, was 'GE T' (did you mean 'GET'?)
            method=GTE | method | must be a method such as POST, was 'GTE' (did you mean 'GET'?)
            when=method = | when | 'method =' is not an expression: Operand must not be null
            when=mehtod == 'GET' | when | 'mehtod == 'GET'' cannot be evaluated: EL1008E: Property or field 'mehtod' cannot be found on object of type a request - maybe not public or not valid?
            when=T(java.lang.Runtime).getRuntime() == null | when | 'T(java.lang.Runtime).getRuntime() == null' cannot be evaluated: EL1005E: Type cannot be found 'java.lang.Runtime'
            key=usr | key | must be ip, user, global, header:NAME or an expression: 'usr' cannot be evaluated: EL1008E: Property or field 'usr' cannot be found on object of type a request - maybe not public or not valid?
            key=user.name | key | must be ip, user, global, header:NAME or an expression: 'user.name' cannot be evaluated: EL1008E: Property or field 'name' cannot be found on object of type 'java.lang.String' - maybe not public or not valid?
            key=headr('a') | key | must be ip, user, global, header:NAME or an expression: 'headr('a')' cannot be evaluated: EL1004E: Method call: Method headr(java.lang.String) cannot be found on type a request
            key=#id | key | must be ip, user, global, header:NAME or an expression: '#id' refers to #id, but a rule has no variables, only method, path, address, user, principal, header('Name') and request
            when={1}.?[#this > #max].empty | when | '{1}.?[#this > #max].empty' refers to #max, but a rule has no variables, only method, path, address, user, principal, header('Name') and request
            key=header: | key | must be like header:X-Api-Key, was 'header:'
            key=@bean.name | key | must be ip, user, global, header:NAME or an expression: '@bean.name' cannot be evaluated: EL1057E: No bean resolver registered in the context to resolve access to bean 'bean'
            max-wait=-1s | max-wait | must not be negative, was PT-1S
            on-failure=local(2) | on-failure | share must be above 0 and at most 1, was 2.0
            plans.premium=1/0s | plans.premium | limit '1/0s', column 3: window must be at least 1 nanosecond, was PT0S
            """)
    void rule_problem_isReported(String setting, String property, String problem) {
        assertThat(problems("weir.limits.api.limit=1/1m", "weir.limits.api.path=/**", "weir.limits.api." + setting))
                .contains("weir.limits.api." + property + ": " + problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/{a:(?=x);?.*}/b", "/?a/b=c", "/100%/{a}", "/a b"})
    void path_patternThatCanMatch_isValid(String path) {
        runner.withPropertyValues("weir.limits.api.limit=1/1m", "weir.limits.api.path=" + path)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void noPath_settingsOfRules_areReported() {
        assertThat(problems("weir.limits.api.limit=1/1m", "weir.limits.api.key=user", "weir.limits.api.method=GET"))
                .containsExactly(
                        "weir.limits.api.method: has no effect without weir.limits.api.path; /** is the path of all requests",
                        "weir.limits.api.key: has no effect without weir.limits.api.path; /** is the path of all requests");
    }

    @Test
    void limits_beyondTheStore_areReported() {
        assertThat(problems(
                        "weir.redis.uri=redis://127.0.0.1:1",
                        "weir.limits.api.limit=10/26500d",
                        "weir.limits.web.limit=10/1d",
                        "weir.limits.web.plans.premium=10/26500d"))
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).matches("weir\\.limits\\.(api|web): .*2\\^53.*"));
    }

    @Test
    void start_problem_isReportedWithoutStackTrace() {
        FailedStart start = FailedStart.of(WeirAutoConfiguration.class, "weir.limits.api.limit=0/1m");

        assertThat(start.failure()).hasRootCauseInstanceOf(InvalidConfigurationException.class);
        assertThat(start.report().getFormattedMessage())
                .contains("The configuration of Weir is not valid:")
                .contains("    weir.limits.api.limit: limit '0/1m', column 1: permits must be at least 1, was 0")
                .contains("Correct the properties or annotations named above.");
        assertThat(start.report().getThrowableProxy()).isNull();
    }

    @Test
    void limiters_ofTheConfiguration_areFoundByName() {
        runner.withPropertyValues(
                        "weir.limits.api.limit=10/1s, 1000/1d",
                        "weir.limits.[my_api.v2].limit[0]=token-bucket 5/10s burst=20")
                .run(context -> {
                    RateLimiters limiters = context.getBean(RateLimiters.class);
                    assertThat(limiters.names()).containsExactlyInAnyOrder("api", "my_api.v2");
                    RateLimiter api = limiters.get("api");
                    assertThat(api.limits("any")).isEqualTo(Limits.parse("10/1s", "1000/1d"));
                    assertThat(limiters.get("my_api.v2").limits("any"))
                            .isEqualTo(Limits.parse("token-bucket 5/10s burst=20"));
                    assertThat(limiters.get("api")).isSameAs(api);
                    assertThatThrownBy(() -> limiters.get("apy"))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("no limiter is named 'apy' under weir.limits, only [");
                });
    }

    static class Mailer {
        Mailer(RateLimiters limiters) {
            limiters.get("mial");
        }
    }

    @Test
    void beanThatAsksForAnUnknownLimiter_isReported() {
        assertThat(problems(runner.withBean(Mailer.class), "weir.limits.mail.limit=3/1h"))
                .containsExactly("no limiter is named 'mial' under weir.limits, only [mail]");
    }

    @Test
    void noLimits_application_starts() {
        runner.run(context ->
                assertThat(context.getBean(RateLimiters.class).names()).isEmpty());
    }

    @Test
    void store_ofTheApplication_isUsedAndNotInHealthAndMeters() {
        MemoryStore own = MemoryStore.create();
        ApplicationContextRunner withActuator = runner.withConfiguration(
                        AutoConfigurations.of(WeirHealthAutoConfiguration.class, WeirMetricsAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class);
        withActuator.run(
                context -> assertThat(context).hasBean("weirHealthIndicator").hasSingleBean(StoreMetrics.class));
        withActuator
                .withBean("weirStore", Store.class, () -> own)
                .withPropertyValues("weir.redis.uri=redis://127.0.0.1:1", "weir.limits.api.limit=1/1h")
                .run(context -> {
                    assertThat(context)
                            .doesNotHaveBean("weirHealthIndicator")
                            .doesNotHaveBean(StoreMetrics.class)
                            .doesNotHaveBean(WeirAutoConfiguration.STORE);
                    assertThat(context.getBean(RateLimiters.class).get("api").tryAcquire("any"))
                            .matches(Decision::allowed);
                    assertThat(own.statistics().keys()).hasValue(1);
                });
    }

    @Test
    void webClasses_missing_limitersWork() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.web", "dev.weir.redis", "io.lettuce"))
                .withPropertyValues("weir.limits.api.limit=1/1h", "weir.limits.api.path=/**")
                .run(context -> assertThat(
                                context.getBean(RateLimiters.class).get("api").tryAcquire("any"))
                        .matches(Decision::allowed));
    }
}
