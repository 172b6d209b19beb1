package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program on the module path that requires dev.weir.redis and nothing else. */
final class ModulePathTest {
    private static final String MODULE = "module app { requires dev.weir.redis; }";
    private static final String MAIN = """
            package app;

            import dev.weir.RateLimiter;
            import dev.weir.redis.RedisStore;
            import java.time.Duration;

            public final class Main {
                public static void main(String[] uri) {
                    try (RedisStore store = RedisStore.builder(uri[0]).timeout(Duration.ofSeconds(20)).connect()) {
                        RateLimiter limiter = RateLimiter.builder().name("test").limit("1/1h").store(store).build();
                        for (int i = 0; i < 2; i++) {
                            var decision = limiter.tryAcquire("key");
                            System.out.println("allowed " + decision.allowed() + ", degraded " + decision.degraded());
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    private String modulePath;

    @BeforeEach
    void compile() throws IOException {
        Path sources = folder.resolve("src");
        Path classes = folder.resolve("classes");
        Files.createDirectories(sources.resolve("app"));
        Path module = Files.writeString(sources.resolve("module-info.java"), MODULE);
        Path main = Files.writeString(sources.resolve("app/Main.java"), MAIN);
        String libraries = runtimeModulePath();
        StringWriter messages = new StringWriter();
        PrintWriter out = new PrintWriter(messages);
        int exit = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        out,
                        out,
                        "-d",
                        classes.toString(),
                        "--module-path",
                        libraries,
                        module.toString(),
                        main.toString());

        assertThat(exit).as(messages.toString()).isZero();
        modulePath = classes + System.getProperty("path.separator") + libraries;
    }

    /** The build writes it: this module and its dependencies, without those of the tests. */
    private static String runtimeModulePath() throws IOException {
        try (InputStream file = ModulePathTest.class.getResourceAsStream("/runtime-module-path")) {
            assertThat(file).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void connect_onTheModulePath_decidesOnRedis() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "--module-path",
                            modulePath,
                            "--module",
                            "app/app.Main",
                            server.uri())
                    .redirectError(ProcessBuilder.Redirect.INHERIT) // to which Java notes JAVA_TOOL_OPTIONS
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(process.waitFor()).isZero();
            assertThat(output.lines()).containsExactly("allowed true, degraded false", "allowed false, degraded false");
        }
    }
}
