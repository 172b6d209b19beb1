package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which requests a rule limits, and by which key: one application, and one limiter for each test. */
class RulesTest {
    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.start("""
                weir:
                  client-address: {header: x-forwarded-for, trusted-proxies: 127.0.0.0/8}
                  plans:
                    premium: [ann]
                  limits:
                    path: {limit: 1/1h, path: /path/*, key: global}
                    method: {limit: 1/1h, path: /method/**, method: [get, PUT], key: global}
                    when: {limit: 1/1h, path: /when/**, when: "header('X-Free') == null", key: global}
                    ip: {limit: 1/1h, path: /ip/**}
                    user: {limit: 1/1h, path: /user/**, key: user}
                    header: {limit: 1/1h, path: /header/**, key: "header:X-Api-Key"}
                    spel: {limit: 1/1h, path: /spel/**, key: "user + '@' + header('X-Tenant')"}
                    token: {limit: 1/1h, path: /token/**, key: "header('X-Token').substring(7)"}
                    claim: {limit: 1/1h, path: /claim/**, key: "'claim ' + principal.principal.username"}
                    several-10: {limit: 10/1h, path: /several/**, key: global}
                    several-1: {limit: 1/1h, path: /several/**, key: "header:X-Api-Key"}
                    planned: {limit: 1/1h, path: /planned/**, key: user, plans: {premium: 3/1h}}
                    unused: {limit: 1/1h}
                """);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void path_other_isNotLimited() throws Exception {
        application.bean(RateLimiters.class).get("path").reset("global");
        assertThat(application.status("/path/a")).isEqualTo(200);
        assertThat(application.status("/path/b")).isEqualTo(429);
        assertThat(application.status("/path/b/c")).isEqualTo(200);
        assertThat(application.status("/path%2Fa"))
                .as("encoded, not the same path")
                .isNotEqualTo(429);
        assertThat(application.status("/%70ath/a")).as("encoded, the same path").isEqualTo(429);
        assertThat(application.status("/path/a?b=c")).isEqualTo(429);
    }

    @Test
    void method_other_isNotLimited() throws Exception {
        application.bean(RateLimiters.class).get("method").reset("global");
        HttpRequest.Builder post = application.request("/method/a").POST(BodyPublishers.noBody());
        assertThat(application.status("/method/a")).isEqualTo(200);
        assertThat(application.status(post)).isEqualTo(200);
        assertThat(application.status("/method/a")).isEqualTo(429);
    }

    @Test
    void method_get_limitsHead() throws Exception {
        HttpRequest.Builder head = application.request("/method/head").method("HEAD", BodyPublishers.noBody());
        application.bean(RateLimiters.class).get("method").reset("global");
        assertThat(application.status("/method/head")).isEqualTo(200);

        var denied = application.send(head);

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).isEmpty();
        assertThat(denied.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void when_false_isNotLimited() throws Exception {
        HttpRequest.Builder free = application.request("/when/a").header("X-Free", "yes");
        assertThat(application.status("/when/a")).isEqualTo(200);
        assertThat(application.status(free)).isEqualTo(200);
        assertThat(application.status("/when/a")).isEqualTo(429);
    }

    @Test
    void keyIp_forgedForwardedFor_givesNoNewIdentity() throws Exception {
        assertThat(application.status(from("203.0.113.9"))).isEqualTo(200);
        assertThat(application.status(from("198.51.100.1, 203.0.113.9"))).isEqualTo(429);
        assertThat(application.status(from("203.0.113.10")))
                .as("another client")
                .isEqualTo(200);
    }

    private static HttpRequest.Builder from(String chain) {
        return application.request("/ip/a").header("X-Forwarded-For", chain);
    }

    @Test
    void keyUser_eachUser_hasItsOwnLimit() throws Exception {
        assertThat(application.status(application.as("ann", "/user/a"))).isEqualTo(200);
        assertThat(application.status(application.as("ann", "/user/b"))).isEqualTo(429);
        assertThat(application.status(application.as("bob", "/user/a"))).isEqualTo(200);
    }

    @Test
    void keyUser_anonymous_isLimitedByAddress() throws Exception {
        assertThat(application.status("/user/a")).isEqualTo(200);
        assertThat(application.status("/user/a")).isEqualTo(429);
    }

    @Test
    void keyHeader_missing_isNoWayAroundTheLimit() throws Exception {
        assertThat(application.status(withKey("/header/a", "one"))).isEqualTo(200);
        assertThat(application.status(withKey("/header/a", "one"))).isEqualTo(429);
        assertThat(application.status("/header/a")).as("by address").isEqualTo(200);
        assertThat(application.status("/header/a")).isEqualTo(429);
        assertThat(application.status(withKey("/header/a", "ip:203.0.113.9")))
                .as("not the key of another client's address")
                .isEqualTo(429);
        assertThat(application.status(withKey("/header/a", "x".repeat(1_025))))
                .as("too long for a key")
                .isEqualTo(429);
    }

    private static HttpRequest.Builder withKey(String path, String key) {
        return application.request(path).header("X-Api-Key", key);
    }

    @Test
    void keyExpression_principal_isWhoIsAuthenticated() throws Exception {
        RateLimiter limiter = application.bean(RateLimiters.class).get("claim");
        assertThat(application.status(application.as("ann", "/claim/a"))).isEqualTo(200);
        assertThat(limiter.peek("claim ann").remaining()).isZero();

        assertThat(application.status("/claim/a")).isEqualTo(200);
        assertThat(limiter.peek("ip:127.0.0.1").remaining()).isZero();
    }

    @Test
    void keyExpression_eachValue_hasItsOwnLimit() throws Exception {
        assertThat(application.status(application.as("ann", "/spel/a").header("X-Tenant", "t")))
                .isEqualTo(200);
        assertThat(application.status(application.as("ann", "/spel/a").header("X-Tenant", "t")))
                .isEqualTo(429);
        assertThat(application.status(application.as("ann", "/spel/a").header("X-Tenant", "u")))
                .isEqualTo(200);
    }

    @Test
    void keyExpression_thatFailsForAShortHeader_isLimitedByAddress() throws Exception {
        assertThat(application.status(withToken("Bearer a"))).isEqualTo(200);
        assertThat(application.status(withToken("Bearer a"))).isEqualTo(429);
        assertThat(application.status(withToken("Bearer b"))).isEqualTo(200);
        assertThat(application.status(withToken("short"))).as("by address").isEqualTo(200);
        assertThat(application.status(withToken("other"))).isEqualTo(429);
    }

    private static HttpRequest.Builder withToken(String token) {
        return application.request("/token/a").header("X-Token", token);
    }

    @Test
    void severalRules_oneDenies_noneIsConsumed() throws Exception {
        assertThat(application.status(withKey("/several/a", "one"))).isEqualTo(200);

        var denied = application.send(withKey("/several/a", "one"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).contains("\"violated-policies\":[\"several-1\"]");
        assertThat(application
                        .bean(RateLimiters.class)
                        .get("several-10")
                        .peek("global")
                        .remaining())
                .isEqualTo(9);
    }

    @Test
    void plans_keyWithPlan_hasItsLimit() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(application.status(application.as("ann", "/planned/a"))).isEqualTo(200);
        }
        assertThat(application.status(application.as("ann", "/planned/a"))).isEqualTo(429);
        assertThat(application.status(application.as("bob", "/planned/a"))).isEqualTo(200);
        assertThat(application.status(application.as("bob", "/planned/a"))).isEqualTo(429);
    }

    @Test
    void noPath_noRequest_isLimited() throws Exception {
        assertThat(application.status("/unused")).isEqualTo(200);
        assertThat(application.status("/unused")).isEqualTo(200);
        assertThat(application
                        .bean(RateLimiters.class)
                        .get("unused")
                        .tryAcquire("code")
                        .allowed())
                .isTrue();
    }

    @Test
    void denial_answer_saysWhenToRetry() throws Exception {
        application.bean(RateLimiters.class).get("path").reset("global");
        assertThat(application.get("/path/c").headers().firstValue("RateLimit-Policy"))
                .hasValue("\"path\";q=1;w=3600");

        var denied = application.get("/path/c");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(denied.headers().firstValue("Retry-After"))
                .hasValueSatisfying(
                        // a grant counts from the end of its tick, which may not be over yet
                        seconds -> assertThat(Integer.parseInt(seconds)).isBetween(3_500, 3_601));
    }
}
