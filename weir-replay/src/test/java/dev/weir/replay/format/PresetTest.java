package dev.weir.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.replay.format.Logs.Event;
import dev.weir.replay.trace.LogException;
import dev.weir.replay.trace.SkippedLine;
import dev.weir.replay.trace.Trace;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Logs of products in the shapes that their vendors document, with values of our own. */
class PresetTest {
    private static final String ALB = """
            https 2026-11-21T10:00:01.250000Z app/shop/50dc6c495c0c9188 203.0.113.9:51234 10.0.1.7:8080 0.001 0.220 0.000 200 200 58 1024 "GET https://www.example.com:443/cart/7?x=1 HTTP/2.0" "Mozilla/5.0 (\\"x\\")" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067 "Root=1-58337281-1d84f3d73c47ec4e58577259" "www.example.com" "arn:aws:acm:eu-west-1:123456789012:certificate/1" 1 2026-11-21T10:00:01.000000Z "forward" "-" "-" "10.0.1.7:8080" "200" "-" "-" TID_1
            h2 2026-11-21T10:00:02.000000Z app/shop/50dc6c495c0c9188 2001:db8::9:443 - -1 -1 -1 403 - 58 1024 "GET https://www.example.com:443/ HTTP/2.0" "curl/8" - - - "-" "-" "-" 1 2026-11-21T10:00:01.900000Z "waf" "-" "-" "-" "-" "-" "-" TID_2 "-" "-" "-"
            http 2026-11-21T10:00:03.000000Z app/shop/50dc6c495c0c9188 203.0.113.9:51235 10.0.1.7:8080 0.000 0.001 0.000 200 200 34 366 "GET http://www.example.com:80/a HTTP/1.1" "curl/8" - -
            """;
    private static final String CLOUDFRONT = """
            #Version: 1.0
            #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) x-forwarded-for
            2026-11-21|10:00:01|FRA56-P1|2390|203.0.113.9|GET|d111.example.net|/img/a.png|200|-|curl/8|-
            2026-11-21|10:00:02|FRA56-P1|100|2001:db8::9|GET|d111.example.net|/|304|-|a%20b|198.51.100.7,%2010.0.0.1
            """.replace('|', '\t');
    static final String IIS = """
            #Software: Microsoft Internet Information Services 10.0
            #Version: 1.0
            #Date: 2026-11-21 10:00:00
            #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status time-taken X-Forwarded-For
            2026-11-21 10:00:01 10.0.0.5 GET /shop/cart.aspx id=7 443 EXAMPLE\\ann 203.0.113.9 Mozilla/5.0+(X11) 200 15 198.51.100.7,+10.0.0.1
            2026-11-21 10:00:02 10.0.0.5 GET /default.aspx - 443 - 2001:db8::9 curl/8 401 3 -
            """;
    private static final String CADDY = """
            {"level":"info","ts":1795255201.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"10.0.0.1","remote_port":"41342","client_ip":"203.0.113.9","proto":"HTTP/2.0","method":"GET","host":"localhost","uri":"/a?b=1","headers":{"X-Forwarded-For":["198.51.100.7, 10.0.0.1"]},"tls":{"resumed":false}},"bytes_read":0,"user_id":"ann","duration":0.0009,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}
            {"level":"info","ts":1795255202,"logger":"http.log.access","msg":"handled request","request":{"remote_addr":"[2001:db8::9]:41342","proto":"HTTP/1.1","method":"GET","host":"localhost","uri":"/"},"user_id":"","duration":0.1,"size":1,"status":404}
            """;
    private static final String TRAEFIK_JSON = """
            {"ClientAddr":"203.0.113.9:51234","ClientHost":"203.0.113.9","ClientPort":"51234","ClientUsername":"ann","DownstreamStatus":200,"RequestMethod":"GET","RequestPath":"/a?b=1","RequestProtocol":"HTTP/1.1","StartLocal":"2026-11-21T11:00:01.25+01:00","StartUTC":"2026-11-21T10:00:01.25Z","level":"info","msg":"","time":"2026-11-21T11:00:02+01:00"}
            {"ClientAddr":"[2001:db8::9]:51234","ClientHost":"2001:db8::9","ClientUsername":"-","RequestPath":"/","StartUTC":"2026-11-21T10:00:02Z","time":"2026-11-21T11:00:02+01:00"}
            """;
    private static final String TRAEFIK_CLF = """
            203.0.113.9 - ann [21/Nov/2026:10:00:01 +0000] "GET /a?b=1 HTTP/1.1" 200 2326 "-" "curl/8" 7 "shop@docker" "http://172.18.0.3:80" 4ms
            2001:db8::9 - - [21/Nov/2026:10:00:02 +0000] "GET / HTTP/2.0" 404 19 "-" "-" 8 "-" "-" 0ms
            """;
    private static final String ENVOY = """
            [2026-11-21T10:00:01.250Z] "POST /api/v1/places?x=1 HTTP/2" 204 - 154 0 226 100 "203.0.113.9" "nsq2http" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "places" "10.0.2.1:80"
            [2026-11-21T10:00:02.000Z] "GET / HTTP/1.1" 503 UF,URX 0 91 3 - "2001:db8::9" "-" "-" "example.com" "-"
            """;
    private static final String HAPROXY = """
            Nov 21 10:00:01 lb haproxy[14389]: 203.0.113.9:33317 [21/Nov/2026:10:00:01.250] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {www.example.com|Mozilla/5.0 (X11)} {} "GET /a?b=1 HTTP/1.1"
            <134>Nov 21 10:00:02 haproxy[14389]: 2001:db8::9:33318 [21/Nov/2026:10:00:02.000] https-in~ shop/<NOSRV> -1/-1/-1/-1/1 503 212 - - SC-- 1/1/0/0/0 0/0 "GET / HTTP/1.1"
            """;
    private static final String ELB = """
            2026-11-21T10:00:01.250000Z shop 203.0.113.9:51234 10.0.0.7:80 0.0001 0.0021 0.0001 200 200 0 29 "GET http://www.example.com:80/a?b=1 HTTP/1.1" "curl/8" - -
            2026-11-21T10:00:02.000000Z shop 2001:db8::9:443 - -1 -1 -1 503 0 0 0 "- - - "
            """;
    private static final String S3 = """
            0a1b shop [21/Nov/2026:10:00:01 +0000] 203.0.113.9 arn:aws:iam::123456789012:user/ann 3E57 REST.GET.OBJECT a "GET /shop/a?b=1 HTTP/1.1" 200 - 29 29 7 6 "-" "aws-cli/2 (x)" - dG9rZW4= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader shop.s3.eu-west-1.amazonaws.com TLSv1.3 - -
            0a1b shop [21/Nov/2026:10:00:02 +0000] 2001:db8::9 - 3E58 REST.HEAD.BUCKET - - 403 AccessDenied 243 - 3 - - -
            """;
    private static final String ISTIO = """
            [2026-11-21T10:00:01.250Z] "GET /a?b=1 HTTP/2" 200 - via_upstream - "-" 0 18 4 3 "203.0.113.9" "curl/8" "7c0e" "shop" "10.0.0.5:80" outbound|80||shop.default.svc.cluster.local 10.0.0.4:41820 10.0.0.4:8443 10.0.0.1:55642 - default
            [2026-11-21T10:00:02.000Z] "GET / HTTP/1.1" 404 NR route_not_found - "-" 0 0 0 - "2001:db8::9" "-" "7c0f" "-" "-" - - 10.0.0.4:8080 10.0.0.1:55643 - -
            """;
    private static final String SQUID = """
            1795255201.250    426 203.0.113.9 TCP_MISS/200 4523 GET http://www.example.com/a?b=1 ann HIER_DIRECT/10.0.0.1 text/html
            1795255202.000 120003 2001:db8::9 TCP_TUNNEL/200 8211 CONNECT www.example.com:443 - HIER_DIRECT/10.0.0.1 -
            """;
    private static final String CLOUDFRONT_JSON = """
            {"date":"2026-11-21","time":"10:00:01","x-edge-location":"FRA56-P1","c-ip":"203.0.113.9","cs(Host)":"d111.example.net","cs-uri-stem":"/img/a.png","sc-status":"200"}
            {"time":"10:00:02","c-ip":"2001:db8::9","cs-uri-stem":"/","date":"2026-11-21"}
            """;
    private static final Map<String, String> LOGS = Map.ofEntries(
            Map.entry("alb", ALB),
            Map.entry("elb", ELB),
            Map.entry("s3", S3),
            Map.entry("cloudfront", CLOUDFRONT),
            Map.entry("iis", IIS),
            Map.entry("caddy", CADDY),
            Map.entry("traefik", TRAEFIK_JSON),
            Map.entry("envoy", ENVOY),
            Map.entry("istio", ISTIO),
            Map.entry("haproxy", HAPROXY),
            Map.entry("squid", SQUID));

    private static final long FIRST = Instant.parse("2026-11-21T10:00:01.250Z").getEpochSecond() * 1_000_000_000L;
    private static final long QUARTER = 250_000_000;
    private static final long SECOND = 1_000_000_000;

    @Test
    void read_alb_hasTheArrivalOfRequests() throws IOException {
        assertThat(events("alb", "ip", ALB))
                .containsExactly(
                        new Event(FIRST, "203.0.113.9", 1),
                        new Event(FIRST + 900_000_000, "2001:db8::9", 1),
                        new Event(FIRST + 2 * SECOND, "203.0.113.9", 1));
        assertThat(keys("alb", "path", ALB)).containsExactly("/cart/7", "/", "/a");
        assertThat(keys("alb", "domain_name", ALB)).containsExactly("www.example.com");
        assertThat(keys("alb", "target:port", ALB)).containsExactly("10.0.1.7:8080", "10.0.1.7:8080");
    }

    @Test
    void read_albWithTimeField_hasItsTime() throws IOException {
        LogOptions options = LogOptions.builder()
                .format(LogFormat.parse("alb"))
                .timeField("time")
                .build();
        try (Trace trace = Logs.read(ALB, options)) {
            assertThat(Logs.events(trace).get(0).timeNanos()).isEqualTo(FIRST + QUARTER);
        }
    }

    @Test
    void read_cloudfront_hasItsFields() throws IOException {
        assertThat(events("cloudfront", "ip", CLOUDFRONT))
                .containsExactly(new Event(FIRST, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(keys("cloudfront", "path", CLOUDFRONT)).containsExactly("/img/a.png", "/");
        assertThat(keys("cloudfront", "cs(Host)", CLOUDFRONT)).containsOnly("d111.example.net");
        assertThat(events("cloudfront", "ip", CLOUDFRONT_JSON)).isEqualTo(events("cloudfront", "ip", CLOUDFRONT));
        assertThat(keys("cloudfront", "path", CLOUDFRONT_JSON)).containsExactly("/img/a.png", "/");
    }

    @Test
    void read_iis_hasItsFields() throws IOException {
        assertThat(events("iis", "ip", IIS))
                .containsExactly(new Event(FIRST, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(keys("iis", "user", IIS)).containsExactly("EXAMPLE\\ann");
        assertThat(keys("iis", "path", IIS)).containsExactly("/shop/cart.aspx", "/default.aspx");
    }

    @Test
    void read_hyphenInAFieldOfAProduct_isNoKey() throws IOException {
        assertThat(keys("iis", "cs-username", IIS)).containsExactly("EXAMPLE\\ann");
        assertThat(keys("cloudfront", "cs(Referer)", CLOUDFRONT + CLOUDFRONT.replace("\t-\t", "\thttps://a/\t")))
                .containsExactly("https://a/", "https://a/");
        assertThat(keys("alb", "trace_id", ALB)).containsExactly("Root=1-58337281-1d84f3d73c47ec4e58577259");
        assertThat(keys("envoy", "user_agent", ENVOY)).containsExactly("nsq2http");
        assertThat(keys("traefik", "ClientUsername", TRAEFIK_JSON)).containsExactly("ann");
        assertThatThrownBy(() -> keys("haproxy", "request_cookie", HAPROXY))
                .hasMessageStartingWith("none of the log's 2 lines can be used");
        assertThat(keys("csv", "id", "time,id\n1,-\n")).containsExactly("-");
    }

    @Test
    void read_forwardedListOfAField_needsAChoice() throws IOException {
        assertThat(forwarded("iis", "X-Forwarded-For", IIS)).containsExactly("198.51.100.7");
        assertThat(forwarded("cloudfront", "x-forwarded-for", CLOUDFRONT)).containsExactly("198.51.100.7");
        assertThat(forwarded("caddy", "request.headers.X-Forwarded-For", CADDY)).containsExactly("198.51.100.7");
        assertThat(forwarded("envoy", "ip", ENVOY.replace("203.0.113.9", "198.51.100.7,10.0.0.1")))
                .containsExactly("198.51.100.7");
        assertThatThrownBy(() -> events("iis", "X-Forwarded-For", IIS.replaceFirst("2026-11-21 10:00:02.*", "")))
                .hasMessageContaining("--client first");
    }

    @Test
    void read_envoyWithForwardedLists_isDetectedAndNeedsAChoice() throws IOException {
        for (String list : List.of("198.51.100.7,10.0.0.1", "198.51.100.7, 10.0.0.1")) {
            String line = ENVOY.substring(0, ENVOY.indexOf('\n') + 1).replace("203.0.113.9", list);
            for (String format : List.of("auto", "envoy")) {
                assertThat(forwarded(format, "ip", line)).containsExactly("198.51.100.7");
                assertThatThrownBy(() -> events(format, "ip", line))
                        .hasMessageStartingWith("the log's only line cannot be used, read as envoy; line 1:"
                                + " a list of addresses where the client is expected: ")
                        .hasMessageEndingWith("chooses the client of a forwarded list");
            }
            try (Trace trace = Logs.read(ENVOY + line, Logs.options("auto", "ip"))) {
                assertThat(trace.requests()).isEqualTo(2);
                assertThat(trace.hint()).startsWith("--client first");
            }
        }
    }

    @Test
    void read_envoyWithoutForwardedClients_isDetected() {
        assertThatThrownBy(() -> events("auto", "ip", ENVOY.replaceAll("\"(203|2001)[^\"]*\"", "\"-\"")))
                .hasMessageStartingWith("none of the log's 2 lines can be used, read as envoy; line 1: no address");
    }

    private static List<String> forwarded(String format, String key, String log) throws IOException {
        LogOptions options = LogOptions.builder()
                .format(LogFormat.parse(format))
                .key(key)
                .client(ClientChoice.parse("2-from-right"))
                .build();
        try (Trace trace = Logs.read(log, options)) {
            return Logs.events(trace).stream().map(Event::key).toList();
        }
    }

    @Test
    void read_caddy_hasItsFields() throws IOException {
        assertThat(events("caddy", "ip", CADDY))
                .containsExactly(
                        new Event(FIRST + QUARTER, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(keys("caddy", "user", CADDY)).containsExactly("ann");
        assertThat(keys("caddy", "path", CADDY)).containsExactly("/a", "/");
        assertThat(keys("caddy", "request.method", CADDY)).containsExactly("GET", "GET");
    }

    @Test
    void read_traefik_hasItsFieldsInBothFormats() throws IOException {
        assertThat(events("traefik", "ip", TRAEFIK_JSON))
                .containsExactly(
                        new Event(FIRST + QUARTER, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(events("traefik", "ip", TRAEFIK_CLF))
                .containsExactly(new Event(FIRST, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        for (String log : List.of(TRAEFIK_JSON, TRAEFIK_CLF)) {
            assertThat(keys("traefik", "user", log)).containsExactly("ann");
            assertThat(keys("traefik", "path", log)).containsExactly("/a", "/");
        }
        assertThat(keys("traefik", "RequestProtocol", TRAEFIK_JSON)).containsExactly("HTTP/1.1");
    }

    @Test
    void read_hostNameOfACombinedLine_isNoClientOfAField() throws IOException {
        String combined = TRAEFIK_CLF.lines().findFirst().orElseThrow().replaceFirst("^\\S+", "backend") + "\n";
        String json = TRAEFIK_JSON.lines().findFirst().orElseThrow().replace("203.0.113.9", "backend") + "\n";

        try (Trace trace = Logs.read(combined + combined + json, Logs.options("traefik", "ip"))) {
            assertThat(trace.requests()).isEqualTo(2);
            assertThat(trace.skipped()).isEqualTo(1);
        }
    }

    @Test
    void read_envoy_hasItsFields() throws IOException {
        assertThat(events("envoy", "ip", ENVOY))
                .containsExactly(
                        new Event(FIRST + QUARTER, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(keys("envoy", "path", ENVOY)).containsExactly("/api/v1/places", "/");
        assertThat(keys("envoy", "authority", ENVOY)).containsExactly("places", "example.com");
    }

    @Test
    void read_envoyWithMoreFields_isRefused() {
        assertThatThrownBy(() -> events(
                        "envoy",
                        "ip",
                        ENVOY.replace("\"nsq2http\"", "\"a\" \"b\"").replace("\"-\" \"-\"", "\"a\" \"b\" \"c\"")))
                .hasMessageContaining("not a line of Envoy");
    }

    @Test
    void read_haproxy_hasItsFields() throws IOException {
        assertThat(events("haproxy", "ip", HAPROXY))
                .containsExactly(
                        new Event(FIRST + QUARTER, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        assertThat(keys("haproxy", "path", HAPROXY)).containsExactly("/a", "/");
        assertThat(keys("haproxy", "frontend", HAPROXY)).containsExactly("http-in", "https-in~");
    }

    @Test
    void read_haproxyOnUnixSocket_hasNoClient() throws IOException {
        String log = HAPROXY.replace("2001:db8::9:33318", "unix:1");
        try (Trace trace = Logs.read(log, Logs.options("haproxy", "ip"))) {
            assertThat(trace.requests()).isOne();
            assertThat(trace.firstSkipped()).extracting(SkippedLine::reason).containsExactly("no address");
        }
    }

    @Test
    void read_haproxyRequestCutOffOrBad_keepsTheClient() throws IOException {
        String log = HAPROXY.replace(" HTTP/1.1\"", "").replace("\"GET /a?b=1", "\"<BADREQ>\"");
        try (Trace trace = Logs.read(log, Logs.options("haproxy", "ip"))) {
            assertThat(trace.requests()).isEqualTo(2);
        }
        assertThat(keys("haproxy", "path", log)).containsExactly("/");
    }

    @Test
    void read_logsOfSpacedFields_haveTheirFields() throws IOException {
        for (String format : List.of("elb", "s3", "istio", "squid")) {
            long first = format.equals("s3") ? FIRST : FIRST + QUARTER;
            assertThat(events(format, "ip", LOGS.get(format)))
                    .containsExactly(new Event(first, "203.0.113.9", 1), new Event(FIRST + SECOND, "2001:db8::9", 1));
        }
        assertThat(keys("elb", "path", ELB)).containsExactly("/a");
        assertThat(keys("elb", "path", ELB.replace("?b=1 HTTP/1.1", " b"))).containsExactly("/a b");
        assertThat(keys("s3", "path", S3)).containsExactly("/shop/a");
        assertThat(keys("s3", "user", S3)).containsExactly("arn:aws:iam::123456789012:user/ann");
        assertThat(keys("istio", "path", ISTIO)).containsExactly("/a", "/");
        assertThat(keys("squid", "path", SQUID)).containsExactly("/a", "www.example.com:443");
    }

    @Test
    void read_spacedFieldsOfAnotherLog_areNoClient() {
        for (String log : List.of(
                SQUID.replaceAll("TCP_[A-Z]+/", ""),
                SQUID.replaceAll("HIER_DIRECT.", ""),
                ISTIO.replace("\"-\" 0", "0"),
                ISTIO.replaceAll("(?m)$", " x"),
                ELB.replaceAll("10.0.0.7:80| - -1", "80"))) {
            assertThatThrownBy(() -> events("auto", "ip", log)).hasMessageContaining("format does not show");
        }
    }

    @Test
    void read_autoWithALogOfAProduct_isTheSame() throws IOException {
        assertThat(LOGS).containsOnlyKeys(Preset.ALL.stream().map(Preset::text).toList());
        for (Map.Entry<String, String> log : LOGS.entrySet()) {
            String format = log.getKey();
            assertThat(events("auto", "ip", log.getValue())).as(format).isEqualTo(events(format, "ip", log.getValue()));
        }
        assertThat(events("auto", "ip", CLOUDFRONT_JSON)).isEqualTo(events("cloudfront", "ip", CLOUDFRONT));
        assertThat(events("auto", "ip", TRAEFIK_CLF)).isEqualTo(events("traefik", "ip", TRAEFIK_CLF));
    }

    @Test
    void read_autoWithMessagesOfTheStart_isTheProduct() throws IOException {
        String caddy = "{\"level\":\"info\",\"ts\":1795255200.0,\"msg\":\"using config from file\"}\n";
        String traefik = "{\"level\":\"info\",\"msg\":\"Traefik version 3\",\"time\":\"2026-11-21T10:00:00Z\"}\n";

        assertThat(events("auto", "ip", caddy.repeat(20) + CADDY)).isEqualTo(events("caddy", "ip", CADDY));
        assertThat(events("auto", "request.host", caddy + CADDY)).hasSize(2);
        assertThat(events("auto", "ip", traefik.repeat(20) + TRAEFIK_JSON))
                .isEqualTo(events("traefik", "ip", TRAEFIK_JSON));
        assertThat(keys("auto", "ip", traefik + "{\"time\":1,\"ip\":\"192.0.2.1\"}\n"))
                .containsExactly("192.0.2.1");
    }

    @Test
    void read_productBehindAPrefixOrInAnEnvelope_isRead() throws IOException {
        assertThat(events("auto", "ip", prefixed(ENVOY, "2026-11-21T10:00:01Z stdout F ")))
                .isEqualTo(events("envoy", "ip", ENVOY));
        assertThat(events("auto", "ip", prefixed(CADDY, "caddy-1  | "))).isEqualTo(events("caddy", "ip", CADDY));
        String wrapped = "{\"log\":\"" + CADDY.lines().findFirst().orElseThrow().replace("\"", "\\\"")
                + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T10:00:02Z\"}\n";
        assertThat(keys("auto", "ip", wrapped)).containsExactly("203.0.113.9");
    }

    private static String prefixed(String log, String prefix) {
        return log.replaceAll("(?m)^", prefix).replaceAll(prefix.replace("|", "\\|") + "$", "");
    }

    @Test
    void read_keyThatAProductLacks_isRefused() {
        assertThatThrownBy(() -> events("cloudfront", "user", CLOUDFRONT))
                .isInstanceOf(LogException.class)
                .hasMessage("the log of CloudFront has no user; --key must be ip, path or a field");
        assertThatThrownBy(() -> events("alb", "tenant", ALB))
                .isInstanceOf(LogException.class)
                .hasMessageStartingWith("the log of AWS ALB has no column 'tenant' for the key, only: type, time, elb");
    }

    static List<String> keys(String format, String key, String log) throws IOException {
        return events(format, key, log).stream().map(Event::key).toList();
    }

    static List<Event> events(String format, String key, String log) throws IOException {
        try (Trace trace = Logs.read(log, Logs.options(format, key))) {
            return Logs.events(trace);
        }
    }
}
