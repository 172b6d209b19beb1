package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The modules that an application gets when it requires dev.weir.http and nothing else. */
final class ModuleTest {
    @Test
    void resolve_requiredAlone_includesTheClientOfTheJdk() throws Exception {
        ModuleFinder weir = ModuleFinder.of(location(RateLimitedHttpClient.class), location(RateLimiter.class));

        Configuration resolved = Configuration.resolve(
                weir, List.of(Configuration.empty()), ModuleFinder.ofSystem(), Set.of("dev.weir.http"));

        assertThat(resolved.modules())
                .extracting(ResolvedModule::name)
                .contains("dev.weir.core", "java.net.http")
                .doesNotContain("jakarta.servlet", "okhttp3");
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
