package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.server.config.ConfigurationException;
import dev.weir.server.config.ConfigurationSource;
import dev.weir.server.config.FollowedFiles;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Repeated;
import dev.weir.server.config.SecretFile;
import dev.weir.store.MemoryStore;
import dev.weir.testing.Await;
import dev.weir.testing.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Configuration files that change while the server runs. */
final class FollowedFilesTest extends ServerTest {
    private static String limit(int requests) {
        return """
                domain: d
                descriptors:
                  - key: k
                    rate_limit: {unit: day, requests_per_unit: %d}
                  - key: other
                    rate_limit: {unit: day, requests_per_unit: %d}
                """.formatted(requests, requests);
    }

    private void write(String text) throws IOException {
        write("limits.yaml", text);
    }

    private int limitInForce() {
        return envoy().send("d", "k=look").getStatuses(0).getCurrentLimit().getRequestsPerUnit();
    }

    private List<Object> problems() {
        return json(get("/v1/configuration")).getJsonArray("problems").stream().toList();
    }

    @Test
    void edit_isInForce_andStateIsCarriedOver() throws IOException {
        start(limit(5));
        assertThat(envoy().allowed("d", "k=v")).isEqualTo(5);

        write(limit(7));
        Await.until(() -> limitInForce() == 7);
        assertThat(envoy().allowed("d", "k=v")).isEqualTo(2);

        write(limit(3));
        Await.until(() -> limitInForce() == 3);
        assertThat(envoy().brief("d", "k=v")).isEqualTo("OVER_LIMIT: OVER_LIMIT 0");
    }

    @Test
    void policy_isEdited_stateIsCarriedOver() throws IOException {
        start("policies: {api: 2/1d}\n");
        String body = "{\"key\":\"a\",\"policy\":\"api\"}";
        decide(body);

        write("policies: {api: 10/1d}\n");

        Await.until(
                "the condition",
                () -> json(get("/v1/keys/a?policy=api")).getJsonObject("next").getInteger("remaining") == 9);
    }

    @Test
    void change_isLoggedWithTheNumberOfRules_nowAndBefore() throws IOException {
        start(
                "domain: d\ndescriptors: [{key: a, descriptors: [{key: b, rate_limit: {unit: day, requests_per_unit: 1}}]}]\n");

        try (LogLines log = new LogLines("dev.weir.server")) {
            write("policies: {api: 2/1d}\n");
            Await.until(() -> !log.lines().isEmpty());

            assertThat(log.lines())
                    .containsExactly("INFO the changed configuration is in force: 0 domains with 0 rules, 1 policy;"
                            + " before: 1 domain with 1 rule, 0 policies");

            write("policies: {web: 2/1d}\n");
            Await.until(() -> log.lines().size() == 2);
            assertThat(log.lines())
                    .last()
                    .asString()
                    .endsWith("; before: 0 domains with 0 rules, 1 policy; removed: api");
        }
    }

    @Test
    void badFile_keepsTheOldOne_andSaysWhy() throws IOException {
        start(limit(5));

        try (LogLines log = new LogLines("dev.weir.server")) {
            write("domain: d\ndescriptors: [{kee: k}]\n");
            Await.until(() -> log.lines().size() == 2);

            assertThat(log.lines())
                    .allSatisfy(line -> assertThat(line)
                            .startsWith("WARNING the configuration stays as it was: ")
                            .contains("limits.yaml:2:1"));
        }
        assertThat(problems()).hasSize(2).first().asString().endsWith("limits.yaml:2:15: descriptor has an empty key");
        assertThat(get("/metrics").body()).contains("\nweir_configuration_valid 0.0\n");
        assertThat(limitInForce()).isEqualTo(5);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);

        write(limit(6));
        Await.until(() -> get("/metrics").body().contains("\nweir_configuration_valid 1.0\n"));
        assertThat(limitInForce()).isEqualTo(6);
        assertThat(problems()).isEmpty();
    }

    @Test
    void badFile_isReplacedByTheOldOne_problemIsGone() throws IOException {
        start(limit(5));
        write("domain: [\n");
        Await.until(() -> !problems().isEmpty());

        write(limit(5));

        Await.until(() -> problems().isEmpty());
    }

    @Test
    void checksum_isThatOfTheConfigurationInForce() throws IOException {
        start(limit(5));
        String five = checksum();

        write("domain: [\n");
        Await.until(() -> !problems().isEmpty());
        assertThat(checksum()).isEqualTo(five);

        write(limit(6));
        Await.until(() -> limitInForce() == 6);
        assertThat(checksum()).isNotEqualTo(five);

        write(limit(5));
        Await.until(() -> limitInForce() == 5);
        assertThat(checksum()).isEqualTo(five);
    }

    private String checksum() {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("weir_configuration_checksum "))
                .findFirst()
                .orElseThrow();
    }

    /** Otherwise a file would be used while it is being written, or repeatedly. */
    @Test
    void look_changedContent_isUsedOnceItIsTheSameTwice() {
        AtomicReference<String> content = new AtomicReference<>("first");
        List<String> used = new ArrayList<>();
        FollowedFiles<String> files = new FollowedFiles<>("text", "first", content::get, used::add);
        try (LogLines log = new LogLines("dev.weir.server")) {
            files.look();
            files.look();
            content.set("half");
            files.look();
            content.set("whole");
            files.look();
            assertThat(used).isEmpty();

            files.look();
            files.look();
            assertThat(used).containsExactly("whole");
            content.set("first");
            files.look();
            files.look();

            assertThat(used).containsExactly("whole", "first");
            assertThat(log.lines()).hasSize(2).containsOnly("INFO the changed text is in force");
        }
    }

    @Test
    void use_fails_isNotValid_andTheNextContentIsUsed() {
        AtomicReference<String> content = new AtomicReference<>("first");
        AtomicReference<String> used = new AtomicReference<>();
        FollowedFiles<String> files = new FollowedFiles<>("text", "first", content::get, changed -> {
            if (changed.equals("second")) {
                throw new StackOverflowError("expected by a test");
            }
            used.set(changed);
        });
        Repeated look = new Repeated("the files could not be looked at", files::look);
        try (LogLines log = new LogLines("dev.weir.server")) {
            content.set("second");
            for (int i = 0; i < 10; i++) {
                look.run();
            }
            assertThat(files.isValid()).isFalse();
            assertThat(log.lines())
                    .containsExactly(
                            "WARNING the text stays as it was: the server failed: java.lang.StackOverflowError: expected by a test",
                            "SEVERE the files could not be looked at java.lang.StackOverflowError: expected by a test");
        }

        content.set("third");
        look.run();
        look.run();

        assertThat(used).hasValue("third");
        assertThat(files.isValid()).isTrue();
    }

    /** Removing what the former one had may take seconds. */
    @Test
    void configuration_isInForce_problemsAreGoneBeforeTheFormerOneIsRemoved() {
        AtomicReference<LiveConfiguration> live = new AtomicReference<>();
        AtomicReference<List<String>> meanwhile = new AtomicReference<>();
        ConfigurationSource example = new ConfigurationSource(null, false, false);
        try (MemoryStore store = MemoryStore.create()) {
            live.set(new LiveConfiguration(
                    example,
                    store,
                    read -> () ->
                            meanwhile.set(live.get() == null ? null : live.get().problems())));
            live.get().rejected(List.of("a mistake"));

            live.get().accept(example.texts());
        }

        assertThat(meanwhile.get()).isEmpty();
    }

    @Test
    void fileWithoutEnd_isNotReadWhole() {
        Path endless = Path.of("/dev/zero");

        assertThatThrownBy(() -> new ConfigurationSource(endless, false, false).texts())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("cannot be read: it has more than 3,000,000 bytes");
        assertThatThrownBy(() -> new ServerSettings().tls(endless, endless, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("cannot be read: it has more than 3,000,000 bytes");
        assertThatThrownBy(() -> SecretFile.read(endless))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("cannot be read: it has more than 4,096 bytes");
    }

    @Test
    void secretThatIsNotUtf8_isRefusedWithTheReason() throws IOException {
        Path secret = Files.write(directory.resolve("secret"), new byte[] {'a', (byte) 0xff});

        assertThatThrownBy(() -> SecretFile.read(secret))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("cannot be read: it is not UTF-8");
    }

    @Test
    void missingFile_keepsTheOldOne() throws IOException {
        start(limit(5));
        Files.delete(directory.resolve("limits.yaml"));
        Await.until(() -> !problems().isEmpty());

        assertThat(problems()).singleElement().asString().endsWith("cannot be read: there is no such file");
        assertThat(limitInForce()).isEqualTo(5);

        write(limit(5));
        Await.until(() -> problems().isEmpty());
    }

    @Test
    void file_isAddedAndRemoved_limitsComeAndGo() throws IOException {
        write(limit(5));
        start(new ServerSettings().configuration(directory));

        Path added = write("added.yaml", limit(4).replace("domain: d", "domain: e"));
        Await.until(() -> envoy().brief("e", "k=v").equals("OK: OK 3"));
        Files.delete(added);
        Await.until(() -> envoy().brief("e", "k=v").equals("OK: OK 0"));
        assertThat(limitInForce()).isEqualTo(5);
    }

    @Test
    void linkOfConfigMap_isSwapped() throws IOException {
        Path first = Files.createDirectory(directory.resolve("..2026_01"));
        Path second = Files.createDirectory(directory.resolve("..2026_02"));
        Files.writeString(first.resolve("limits.yaml"), limit(5));
        Files.writeString(second.resolve("limits.yaml"), limit(6));
        Path data = Files.createSymbolicLink(directory.resolve("..data"), first.getFileName());
        Files.createSymbolicLink(directory.resolve("limits.yaml"), Path.of("..data", "limits.yaml"));
        start(new ServerSettings().configuration(directory));
        assertThat(limitInForce()).isEqualTo(5);

        Path swapped = Files.createSymbolicLink(directory.resolve("..data_tmp"), second.getFileName());
        Files.move(swapped, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);

        Await.until(() -> limitInForce() == 6);
    }
}
