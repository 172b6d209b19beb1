package dev.weir.replay.generate;

import java.util.ArrayList;
import java.util.List;

/** The pages of the site that a synthetic log is of, what belongs to them, and what visits it. */
final class Site {
    static final String ORIGIN = "https://www.example.com";
    static final List<String> PAGES = pages();
    static final List<String> COMMON_ASSETS = List.of(
            "/css/site.css", "/js/app.js", "/js/vendor.js", "/img/logo.svg", "/fonts/text.woff2", "/favicon.ico");
    static final List<String> API = List.of("/api/v1/orders?since=", "/api/v1/prices?page=", "/api/v1/stock?page=");
    static final List<String> PROBES = List.of(
            "POST /login HTTP/1.1",
            "POST /login HTTP/1.1",
            "POST /wp-login.php HTTP/1.1",
            "GET /.env HTTP/1.1",
            "GET /admin/ HTTP/1.1",
            "GET /index.php?id=1%27%20OR%20%271%27=%271 HTTP/1.1",
            "GET /cgi-bin/\\\"test\\\" HTTP/1.1");
    static final List<String> BROWSERS = List.of(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0"
                    + " Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36");
    static final String CRAWLER = "Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example.org/about)";
    static final String SCANNER = "python-requests/2.32.5";
    static final String APP = "example-app/3.4 (\\\"batch\\\")";

    private Site() {}

    private static List<String> pages() {
        List<String> pages = new ArrayList<>(List.of("/", "/search?q=weir", "/about", "/contact", "/cart"));
        for (int i = 1; i <= 60; i++) {
            pages.add("/products/" + i);
            pages.add("/blog/2026/" + (1 + i % 12) + "/entry-" + i);
        }
        return List.copyOf(pages);
    }

    /** Returns a size that a target always has. */
    static int size(String target) {
        return 300 + (int) ((SplitMix64.mix(target.hashCode()) >>> 32) % 60_000);
    }
}
