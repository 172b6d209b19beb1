package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.JavaCommand;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The JDK's timer, whose thread must not keep the class loader of a web application that has stopped. */
final class TimerThreadTest {
    @Test
    void webApplicationHasWaited_itsClassesAreUnloaded() throws Exception {
        Process container = new ProcessBuilder(JavaCommand.of(Container.class.getName()))
                .redirectErrorStream(true)
                .start(); // since this JVM may have a timer already

        assertThat(new String(container.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith("unloaded");
    }

    /** Runs a web application and stops it. */
    static final class Container {
        public static void main(String[] args) throws Exception {
            WeakReference<ClassLoader> stopped = runApplication();
            Await.until("the classes to be unloaded", () -> {
                System.gc();
                return stopped.get() == null;
            });
            System.out.print("unloaded");
        }

        private static WeakReference<ClassLoader> runApplication() throws Exception {
            Thread thread = Thread.currentThread();
            ClassLoader own = thread.getContextClassLoader();
            List<URL> path = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                path.add(Path.of(entry).toUri().toURL());
            }
            try (URLClassLoader loader =
                    new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
                thread.setContextClassLoader(loader);
                loader.loadClass(Application.class.getName()).getMethod("run").invoke(null);
                return new WeakReference<>(loader);
            } finally {
                thread.setContextClassLoader(own);
            }
        }
    }

    /** Waits for permits. */
    public static final class Application {
        private Application() {}

        public static void run() throws Exception {
            RateLimiter limiter = RateLimiter.of(Limit.slidingLog(1, Duration.ofMillis(1)));
            limiter.acquire("any", Duration.ofMinutes(1));
            limiter.tryAcquireAsync("any", Duration.ofMinutes(1)).join();
            limiter.tryAcquireAsync("any", Duration.ofMinutes(1)).join();
        }
    }
}
