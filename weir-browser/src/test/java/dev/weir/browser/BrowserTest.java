package dev.weir.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;

/** Tests in a browser, which all test classes of a JVM share: it takes as long to start as some tests take together. */
abstract class BrowserTest {
    static final Browser browser = new Browser();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(browser::close));
    }

    @BeforeEach
    void resetBrowser() {
        browser.open("about:blank");
        browser.desktop();
        browser.media("light");
        browser.console();
    }

    static void assertNothingLogged() {
        assertThat(browser.console()).isEmpty();
    }
}
