package dev.weir.browser;

import dev.weir.testing.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window and with an empty profile. It downloads nothing and connects only to the pages' servers. */
final class Browser implements AutoCloseable {
    private static final File CHROMIUM = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final List<String> FLAGS = List.of(
            "--headless=new",
            "--no-sandbox", // which needs rights that root in a container does not have
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--renderer-process-limit=1", // the pages of a test need no processes of their own
            "--disable-features=SpareRendererForSitePerProcess,BackForwardCache", // pages that no test returns to
            "--host-resolver-rules=MAP weir.test 127.0.0.1", // a name that is not of this machine
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--disable-lcd-text",
            "--force-device-scale-factor=1");
    private static final int DESKTOP_WIDTH = 1440;
    private static final int PHONE_WIDTH = 390;

    /** The folder for pictures of the pages. Without one, none are made: drawing the whole page again and compressing it takes long. */
    private static final @Nullable String PICTURES = System.getProperty("weir.pictures");

    /** Checks an expression for two minutes, see {@link Await#TIMEOUT}. Does not read a clock, which tests replace. */
    private static final String WAIT = """
            (async () => {
              for (let checks = 6_000; checks > 0; checks--) {
                if (%s) return true;
                await new Promise(next => setTimeout(next, 20));
              }
              return false;
            })()""";

    private final ChromeDriver driver;

    Browser() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM);
        options.addArguments(FLAGS);
        options.addArguments("--user-data-dir=" + emptyProfile());
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER)
                        .usingAnyFreePort()
                        .build(),
                options);
        driver.manage().timeouts().scriptTimeout(Await.TIMEOUT.multipliedBy(2));
        desktop();
        media("light");
    }

    /** Returns a directory of this JVM, without what an earlier run left: Chromium still writes when its driver has ended. */
    private static Path emptyProfile() {
        Path profile = Path.of(System.getProperty("browser.profile"));
        try (Stream<Path> files = Files.walk(Files.createDirectories(profile))) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return profile;
    }

    void open(String address) {
        driver.get(address);
    }

    void desktop() {
        size(DESKTOP_WIDTH, 1000);
    }

    void phone() {
        size(PHONE_WIDTH, 844);
    }

    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Sets the user's preference, light or dark. */
    void media(String colours) {
        media(colours, "none");
    }

    /** Sets the user's preference, and replaces the colours of the page by those of the system. */
    void forcedColours(String colours) {
        media(colours, "active");
    }

    private void media(String colours, String forced) {
        List<Map<String, String>> features = List.of(
                Map.of("name", "prefers-color-scheme", "value", colours),
                Map.of("name", "forced-colors", "value", forced),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"));
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", features));
    }

    /** Sets whether the page is hidden: a Chromium without a window shows all of its tabs. */
    void hidden(boolean hidden) {
        driver.executeScript(
                "Object.defineProperty(document, 'hidden', {configurable: true, value: arguments[0]});"
                        + "document.dispatchEvent(new Event('visibilitychange'))",
                hidden);
    }

    /** Runs a command of Chromium's own protocol. */
    Map<String, Object> command(String name, Map<String, Object> parameters) {
        return driver.executeCdpCommand(name, parameters);
    }

    /** Returns the value of an expression on the page, which finds the arguments in {@code arguments}. */
    Object value(String expression, Object... arguments) {
        return driver.executeScript("return " + expression, arguments);
    }

    boolean is(String expression) {
        return Boolean.TRUE.equals(value(expression));
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** Returns the text of an element; empty if it is not on the page. */
    String text(String selector) {
        return String.valueOf(value("document.querySelector(arguments[0])?.textContent ?? ''", selector));
    }

    /** Returns the texts of all elements. */
    List<String> texts(String selector) {
        Object texts = value("[...document.querySelectorAll(arguments[0])].map(e => e.textContent.trim())", selector);
        return ((List<?>) texts).stream().map(String::valueOf).toList();
    }

    /** Clicks an element with the pointer. */
    void click(String selector) {
        find(selector).click();
    }

    /** Presses keys where the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    void tab() {
        press(Keys.TAB);
    }

    /** Moves the pointer to a corner of the page, where it points at nothing. */
    void pointAway() {
        new Actions(driver).moveToLocation(1, 1).perform();
    }

    void pointAt(String selector) {
        new Actions(driver).moveToElement(find(selector)).perform();
    }

    /** Presses the button of the pointer on an element and releases it elsewhere. */
    void drag(String selector, int x, int y) {
        new Actions(driver)
                .clickAndHold(find(selector))
                .moveToLocation(x, y)
                .release()
                .perform();
    }

    /** Clicks a place on the screen. */
    void clickAt(int x, int y) {
        new Actions(driver).moveToLocation(x, y).click().perform();
    }

    /** Returns what the page and the browser logged since the last call. */
    List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    /** Whether the page is wider than the screen. */
    boolean scrollsSideways() {
        return is("document.documentElement.scrollWidth > innerWidth || document.body.scrollWidth > innerWidth");
    }

    /** Keeps a picture of the whole page, or of the screen if it is covered by a dialog, see {@link #PICTURES}. */
    void screenshot(String name) {
        screenshot(name, !is("document.querySelector('dialog[open]') !== null"));
    }

    /** Keeps a picture of the whole page or of the screen. */
    void screenshot(String name, boolean whole) {
        if (PICTURES == null) {
            return;
        }
        Object data = driver.executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", whole))
                .get("data");
        try {
            Path file = Files.createDirectories(Path.of(PICTURES)).resolve(name + ".png");
            Files.write(file, Base64.getDecoder().decode(String.valueOf(data)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until an element has a text. */
    void awaitText(String selector, String text) {
        String is = "document.querySelector(arguments[0])?.textContent";
        if (!holds("(" + is + " ?? '') === arguments[1]", selector, text)) {
            throw new AssertionError(selector + " should be '" + text + "', is: " + text(selector));
        }
    }

    /** Waits until an expression on the page is true. */
    void await(String condition, Object... arguments) {
        if (!holds(condition, arguments)) {
            throw new AssertionError("not true in time: " + condition + ", of " + List.of(arguments));
        }
    }

    /** Returns whether an expression becomes true in time. The page itself checks it: a call of the driver takes as long as a hundred checks. */
    private boolean holds(String condition, Object... arguments) {
        return Boolean.TRUE.equals(value(WAIT.formatted(condition), arguments));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
