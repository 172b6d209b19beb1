package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docs.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files in {@code examples/deploy} fit the server and each other, as far as that can be seen without a container engine. */
final class DeployTest {
    private static final Path FILES = Pages.ROOT.resolve("examples/deploy");
    private static final Pattern DEFAULT_PORT = Pattern.compile("(?ms)^ *--(grpc-)?port=N.*?Default:\\s+(\\d+)\\.");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern DESCRIPTOR = Pattern.compile("(?m)^ *- key: (\\S+)$");

    @TempDir
    private Path directory;

    private static String text(String file) throws IOException {
        return Files.readString(FILES.resolve(file));
    }

    private static Object yaml(String file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(text(file));
    }

    /** Returns what is at a path of names and positions. */
    private static Object at(Object node, Object... path) {
        Object current = node;
        for (Object step : path) {
            current = step instanceof Integer position
                    ? ((List<?>) current).get(position)
                    : ((Map<?, ?>) current).get(step);
            assertThat(current).as("%s in %s", step, node).isNotNull();
        }
        return current;
    }

    private static Map<String, Object> kubernetes() throws IOException {
        Map<String, Object> byKind = new HashMap<>();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text("kubernetes.yaml"))) {
            byKind.put((String) at(document, "kind"), document);
        }
        return byKind;
    }

    private static Object container() throws IOException {
        return at(kubernetes().get("Deployment"), "spec", "template", "spec", "containers", 0);
    }

    private static List<String> entrypoint() throws IOException {
        String line = text("Dockerfile")
                .lines()
                .filter(candidate -> candidate.startsWith("ENTRYPOINT "))
                .findFirst()
                .orElseThrow();
        return WORD.matcher(line).results().map(word -> word.group(1)).toList();
    }

    /** Returns the default ports of HTTP and of Envoy's service, from the help. */
    private static List<Integer> ports() {
        Matcher port = DEFAULT_PORT.matcher(Run.weir("serve", "--help").answer());
        List<Integer> ports = new ArrayList<>();
        while (port.find()) {
            ports.add(Integer.parseInt(port.group(2)));
        }
        assertThat(ports).hasSize(2);
        return ports;
    }

    /** Checks the options of a container, with a file or folder of its own for the one that would be mounted. */
    private static void check(List<String> image, Object options, String mounted, Path own) {
        List<String> args = new ArrayList<>(image.subList(image.indexOf("serve"), image.size()));
        ((List<?>) options).forEach(option -> args.add(option.equals(mounted) ? own.toString() : (String) option));
        args.add("--check");

        assertThat(args).contains(own.toString());
        assertThat(Run.weir(args.toArray(String[]::new)).answer()).contains("1 domain");
    }

    @Test
    void compose_optionsAndConfiguration_areAccepted() throws IOException {
        Object weir = at(yaml("compose.yaml"), "services", "weir");

        assertThat(at(weir, "volumes", 0)).isEqualTo("./limits.yaml:/etc/weir/limits.yaml:ro");
        check(entrypoint(), at(weir, "command"), "/etc/weir/limits.yaml", FILES.resolve("limits.yaml"));
    }

    @Test
    void kubernetes_optionsAndConfiguration_areAccepted() throws IOException {
        Files.writeString(
                directory.resolve("limits.yaml"), (String) at(kubernetes().get("ConfigMap"), "data", "limits.yaml"));

        assertThat(at(container(), "volumeMounts", 0, "mountPath")).isEqualTo("/etc/weir");
        assertThat(at(container(), "volumeMounts", 0).toString()).doesNotContain("subPath");
        check(entrypoint(), at(container(), "args"), "/etc/weir", directory);
    }

    /** Returns a setting of the unit. */
    private static String unit(String name) throws IOException {
        Matcher setting = Pattern.compile("(?m)^" + name + "=(.*)$").matcher(text("weir.service"));
        assertThat(setting.find()).as(name).isTrue();
        return setting.group(1);
    }

    @Test
    void systemd_optionsAndConfiguration_areAccepted() throws IOException {
        Files.copy(FILES.resolve("limits.yaml"), directory.resolve("limits.yaml"));
        List<String> start = List.of(unit("ExecStart").split(" "));
        int serve = start.indexOf("serve");

        check(List.of("serve"), start.subList(serve + 1, start.size()), "/etc/weir", directory);
        List<String> image =
                new ArrayList<>(entrypoint().subList(1, entrypoint().indexOf("-jar")));
        image.removeIf(option -> option.startsWith("-XX:SharedArchiveFile=") || option.startsWith("-Xshare:"));
        assertThat(start.subList(1, serve - 2)).isEqualTo(image);
    }

    @Test
    void systemd_doesNotStartAgain_whatCannotStart() throws IOException {
        Files.writeString(directory.resolve("limits.yaml"), "domain: edge\ndescriptors: 5\n");

        assertThat(Run.weir("serve", "--config", directory.toString()).code())
                .isEqualTo(Integer.parseInt(unit("RestartPreventExitStatus")));
    }

    @Test
    void ports_areThoseOfTheServer() throws IOException {
        int http = ports().get(0);
        int grpc = ports().get(1);

        assertThat(text("Dockerfile"))
                .contains("\nEXPOSE " + http + " " + grpc + "\n", "http://127.0.0.1:" + http + "/readyz");
        assertThat(at(yaml("compose.yaml"), "services", "weir", "ports", 0))
                .isEqualTo("127.0.0.1:" + http + ":" + http);
        assertThat(at(container(), "ports"))
                .isEqualTo(List.of(
                        Map.of("name", "http", "containerPort", http), Map.of("name", "grpc", "containerPort", grpc)));
        for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
            assertThat(at(container(), probe, "httpGet", "port")).isEqualTo("http");
        }
        assertThat(at(kubernetes().get("Service"), "spec", "ports", 0, "port")).isEqualTo(http);
        assertThat(at(kubernetes().get("Service"), "spec", "ports", 1, "port")).isEqualTo(grpc);
        assertThat(address("weir")).isEqualTo(Map.of("address", "weir", "port_value", grpc));
    }

    private static Object address(String cluster) throws IOException {
        List<?> clusters = (List<?>) at(yaml("envoy.yaml"), "static_resources", "clusters");
        Object named = clusters.stream()
                .filter(candidate -> at(candidate, "name").equals(cluster))
                .findFirst()
                .orElseThrow();
        return at(named, "load_assignment", "endpoints", 0, "lb_endpoints", 0, "endpoint", "address", "socket_address");
    }

    @Test
    void envoy_namesTheDomainAndTheServices() throws IOException {
        Object manager = at(
                yaml("envoy.yaml"),
                "static_resources",
                "listeners",
                0,
                "filter_chains",
                0,
                "filters",
                0,
                "typed_config");
        Object filter = at(manager, "http_filters", 0, "typed_config");
        assertThat(at(filter, "domain")).isEqualTo(at(yaml("limits.yaml"), "domain"));
        assertThat(at(filter, "rate_limit_service", "grpc_service", "envoy_grpc", "cluster_name"))
                .isEqualTo("weir");

        Object route = at(manager, "route_config", "virtual_hosts", 0, "routes", 0, "route");
        assertThat(at(route, "cluster")).isEqualTo("application");
        Set<Object> sent = Stream.of(0, 1)
                .flatMap(i -> ((List<?>) at(route, "rate_limits", i, "actions")).stream())
                .<Object>flatMap(action -> ((Map<?, ?>) action).keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(sent)
                .isEqualTo(DESCRIPTOR
                        .matcher(text("limits.yaml"))
                        .results()
                        .map(key -> key.group(1))
                        .collect(Collectors.toCollection(TreeSet::new)));

        assertThat(((Map<?, ?>) at(yaml("compose.yaml"), "services"))
                        .keySet().stream().map(Object::toString))
                .contains("redis", (String) at(address("weir"), "address"), (String)
                        at(address("application"), "address"));
    }

    @Test
    void image_optionsOfJava_areAccepted() throws Exception {
        List<String> image = entrypoint();
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        image.subList(1, image.indexOf("-jar")).stream()
                .filter(option -> !option.startsWith("-XX:SharedArchiveFile="))
                .forEach(command::add);
        command.add("-version");
        Process java = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();

        assertThat(java.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(java.exitValue()).isZero();
        assertThat(text("Dockerfile")).contains("\nUSER 10001\n", " -XX:ArchiveClassesAtExit=weir.jsa ");
        assertThat(image).contains("-XX:SharedArchiveFile=weir.jsa");
    }
}
