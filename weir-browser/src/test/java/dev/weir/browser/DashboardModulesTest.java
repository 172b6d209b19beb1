package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.ServerSettings;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Functions of the modules of the page, which all tests call on one page. */
final class DashboardModulesTest {
    private static final Browser BROWSER = BrowserTest.browser;

    private static WeirServer server;

    @BeforeAll
    static void open() throws IOException {
        server = WeirServer.start(new ServerSettings().port(0).grpcPort(0));
        BROWSER.open("http://127.0.0.1:" + server.port() + "/");
    }

    @AfterAll
    static void stop() {
        BROWSER.open("about:blank"); // ends the stream
        server.close();
    }

    /** Calls functions of a module, and returns their values. */
    private static List<?> values(String module, String calls) {
        return (List<?>) BROWSER.value("import('/dashboard/" + module + "').then(async f => [" + calls + "])");
    }

    private static List<?> format(String calls) {
        return values("format.js", calls);
    }

    @Test
    void numbers_areNotRoundedToAnotherUnitOrToAll() {
        assertThat(format("f.share(9999, 10000), f.share(999, 1000), f.share(10, 10), f.share(0, 10)"))
                .isEqualTo(List.of(">99.9\u00a0%", "99.9\u00a0%", "100\u00a0%", "0\u00a0%"));
        assertThat(format("f.duration(59.94), f.duration(59.96), f.duration(61)"))
                .isEqualTo(List.of("59.9\u00a0s", "1\u00a0min", "1\u00a0min 1\u00a0s"));
        assertThat(format("f.exactDuration(500), f.exactDuration(1500), f.exactDuration(60_000)"))
                .isEqualTo(List.of("500\u00a0ms", "1,500\u00a0ms", "1\u00a0min"));
        assertThat(format("f.wait(0), f.wait(1), f.wait(100), f.wait(101), f.wait(59_901), f.wait(60_001)"))
                .isEqualTo(
                        List.of("now", "0.1\u00a0s", "0.1\u00a0s", "0.2\u00a0s", "1\u00a0min", "1\u00a0min 1\u00a0s"));
    }

    @Test
    void denials_ofAServerInShadow_areJudgedAndCounted() {
        String model = "{server: {shadow: true}, configuration: {}, deniedPerSecond: 0, deniedPerMinute: 0,"
                + " decisionsPerMinute: 100, now: {limitedKeys: 1, mostDenied: [{key: 'a', rule: 'api', limit: '5/1m',"
                + " deniedPerMinute: 95, asks: 20}]}, inForce: [{mode: 'live', deniedPerMinute: 95}]}";

        assertThat(values("answers.js", "f.right(" + model + ").sub, f.denied(" + model + ").sub"))
                .isEqualTo(
                        List.of(
                                "1 key has all of the denials. It asks 20.0× its limit.",
                                "0 in the last minute, 0\u00a0% of 100 decisions. In shadow, limits denied 95 without effect."));
    }

    @Test
    void rule_inQuotaMode_isWithEffect() {
        String state = "{time: '2026-01-01T00:00:00Z', key: 'a', limits: [], explain: ["
                + "{mode: 'quota', rule: 'api', limit: '5/1m', reason: 'denies', denies: true},"
                + "{mode: 'shadow', rule: 'api', limit: '5/1m', reason: 'denies', denies: true}]}";

        assertThat(values(
                        "snapshot.js", "...f.snapshotOf({key: 'a'}, " + state + ", 0).rules.map(rule => rule.reason)"))
                .isEqualTo(List.of("denies", "denies, without effect"));
    }

    /** The counts of keys cover the last 55 to 60 seconds, the total 60. */
    @Test
    void judgement_ofAllLimitedKeys_saysAll() {
        String model = "{deniedPerMinute: 100, inForce: [{mode: 'live', deniedPerMinute: 100}], now: {limitedKeys: %s,"
                + " mostDenied: [{key: 'a', rule: 'api', limit: '5/1m', deniedPerMinute: 95, asks: 20}]}}";

        assertThat(values("answers.js", "f.right(" + model.formatted(1) + ").sub"))
                .isEqualTo(List.of("1 key has all of the denials. It asks 20.0× its limit."));
        assertThat(values("answers.js", "f.right(" + model.formatted(2) + ").sub"))
                .isEqualTo(List.of("1 key has 95.0\u00a0% of the denials. It asks 20.0× its limit."));
    }

    @Test
    void denials_missingInTheLists_areNotJudged() {
        String model =
                "{deniedPerMinute: 100000, missedPerMinute: %s, inForce: [{mode: 'live', deniedPerMinute: 100000}],"
                        + " now: {limitedKeys: 1, mostDenied: [{key: 'a', rule: 'api', limit: '5/1m', deniedPerMinute: 30000,"
                        + " asks: 20}]}}";

        assertThat(values("answers.js", "f.right(" + model.formatted(70_000) + ").big"))
                .isEqualTo(List.of("Not known"));
        assertThat(values("answers.js", "f.right(" + model.formatted(1_000) + ").big"))
                .isEqualTo(List.of("Doubtful: spread"));
    }

    /** A state comes when the page is loaded or a configuration changes; the judgement must not change by that. */
    @Test
    void denials_missingInTheLists_areKnownFromTheState() {
        String state =
                "{server: {}, store: {}, configuration: {}, limits: [], history: {second: 10, allowed: [], denied: [],"
                        + " latencyMicros: [], outage: [], timeouts: [], localDecisions: [], dropped: new Array(300).fill(2),"
                        + " limits: {}}}";
        String frame = "{second: 11, allowed: 0, denied: 0, dropped: 9, limits: [], candidates: [], mostDenied: [],"
                + " fullest: [], store: {timeouts: 0, localDecisions: 0, outageSeconds: 0}}";

        assertThat(values(
                        "model.js",
                        "...(model => [model.state(" + state + "), model.missedPerMinute, model.frame(" + frame
                                + "), model.missedPerMinute].filter(Number.isInteger))(new f.Model())"))
                .isEqualTo(List.of(120L, 127L));
    }

    @Test
    void denials_withoutALimit_areNamedIfMoreThanThoseOfLimits() {
        String model = "{deniedPerMinute: %s, byPolicyPerMinute: %s, storeInfo: {kind: 'memory'}, now: {limitedKeys: 1,"
                + " activeKeys: 2}, inForce: [{mode: 'live', rule: 'api', limit: '5/1m', deniedPerMinute: 40}]}";
        String limits = "denied in the last minute; 2 active now; most by api 5/1m.";

        assertThat(values(
                        "answers.js",
                        "f.limited(" + model.formatted(90, 50) + ").sub, f.limited(" + model.formatted(90, 0)
                                + ").sub, f.limited(" + model.formatted(79, 39) + ").sub"))
                .isEqualTo(List.of(
                        limits + " Denied without a limit: 50 by the full store.",
                        limits + " Denied without a limit: 50 by blocks.",
                        limits));
    }

    @Test
    void denials_byAPolicyThatDenies_areNamed() {
        String model =
                "{busy: true, deniedPerMinute: 600, byPolicyPerMinute: 600, storeInfo: {kind: 'redis', failurePolicy: '%s'},"
                        + " inForce: [], now: {limitedKeys: 0}}";

        for (String policy : List.of("closed", "error")) {
            assertThat(values("answers.js", "f.limited(" + model.formatted(policy) + ").sub"))
                    .isEqualTo(
                            List.of(
                                    "No limit denied a key in the last minute. Denied without a limit: 600 by the failure policy."));
        }
    }

    @Test
    void configuration_changedWithinFiveMinutes_isNamed() {
        String model = "{second: Date.parse('2026-03-01T20:0%s:30Z') / 1000, server: {started: '2026-03-01T19:00:00Z'},"
                + " configuration: {loaded: '2026-03-01T%s:00Z'}}";

        assertThat(values("answers.js", "f.changed(" + model.formatted(4, "20:00") + ")"))
                .isEqualTo(List.of(" The configuration changed 4\u00a0min 30\u00a0s ago."));
        assertThat(values("answers.js", "f.changed(" + model.formatted(5, "20:00") + ")"))
                .isEqualTo(List.of(""));
        assertThat(values("answers.js", "f.changed(" + model.formatted(0, "19:00") + ")"))
                .isEqualTo(List.of(""));
    }

    @Test
    void moment_isInTheTimeZoneOfTheReader_withItsDay() {
        BROWSER.command("Emulation.setTimezoneOverride", Map.of("timezoneId", "Asia/Tokyo"));
        try {
            assertThat(format("f.moment('2026-03-01T20:00:00Z')")).isEqualTo(List.of("2026-03-02 05:00:00"));
            assertThat(format("f.moment(Date.now()).length")).isEqualTo(List.of(19L));
        } finally {
            BROWSER.command("Emulation.setTimezoneOverride", Map.of("timezoneId", ""));
        }
    }

    @Test
    void reservation_ofManyPermits_isNotHigherThanThePicture() {
        String limit = "{ windowMillis: 60_000, waitMillis: 0, used: 0, of: 100, attempts: false, bars: [], denied: [],"
                + " pending: [{ from: 1_000, permits: 60 }] }";
        String drawn = "(svg => (f.drawLog(svg, " + limit + ", 0), svg.querySelector('.pending').getAttribute('d')))"
                + "(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))";

        assertThat(values("timeline.js", drawn)).asString().contains("v-76.0h");
    }

    @Test
    void problemWithoutADetail_isNamedByItsStatus() {
        assertThat(values("connection.js", "await f.problem(new Response('{}', { status: 502 }))"))
                .isEqualTo(List.of("status 502"));
    }
}
