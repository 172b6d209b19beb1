package dev.weir.browser;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Makes the pictures of the dashboard for the pages: a server, five minutes of traffic, and a screenshot, in the folder
 * {@code weir.pictures}. Not part of the build, since its name does not end with Test; {@code scripts/dashboard-screenshot.sh} runs it.
 */
final class DashboardPicture extends DashboardTest {
    private static final long SECONDS = Long.getLong("weir.pictures.seconds", 310);
    private static final String CONFIGURATION = """
            policies:
              tenant: 300/1m
              api-per-ip: {limits: 100/1m, candidate: 60/1m}
              api-per-user: 600/1m
              login: 5/15m
              upload: 20/1h
              export: 3/1h
              search: 300/10s
              webhook-out: 50/1s margin=50ms
            """;

    @Test
    void pictures() throws IOException, InterruptedException {
        start(CONFIGURATION);
        try (Traffic traffic = traffic()) {
            traffic.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            browser.size(1200, 1300);
            open();
            while (System.nanoTime() < end) {
                TimeUnit.SECONDS.sleep(1);
            }
            browser.await("document.querySelectorAll('.open-key').length > 3");
            browser.screenshot("dashboard", false);
            browser.size(1200, 1000);
            openKey("203.0.113.77");
            browser.await("document.querySelector('#log path.allowed')?.getAttribute('d') > ''");
            browser.screenshot("dashboard-key", false);
        }
        assertNothingLogged();
    }

    private Traffic traffic() {
        return new Traffic(address(""))
                .client("tenant", "acme-batch", 9.5)
                .client("tenant", "globex-etl", 13)
                .clients("tenant", "tenant-", 20, 60)
                .client("api-per-ip", "203.0.113.77", 23.8)
                .client("api-per-ip", "2001:db8:85a3::8a2e:370:7334", 15)
                .client("api-per-ip", "<script>alert(\"weir\")</script>", 2.3)
                .clients("api-per-ip", "10.20.4.", 200, 140)
                .client("api-per-user", "session:eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", 11)
                .clients("api-per-user", "user:77", 60, 60)
                .client("login", "user:8841207", 0.3)
                .clients("login", "user:31", 60, 0.5)
                .client("upload", "user:\u202egpj.exe\u202c", 0.2)
                .client("export", "initech", 0.005)
                .clients("search", "user:9", 50, 40)
                .client("webhook-out", "psp-1", 20);
    }
}
