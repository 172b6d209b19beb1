package dev.weir.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Stream;

/** What it was measured on. */
public record Machine(String processor, int cores, String java, LocalDate date, String load) {

    /** This one, now. */
    public static Machine here() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return new Machine(
                processor(Path.of("/proc/cpuinfo")),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                LocalDate.now(ZoneOffset.UTC),
                load < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", load));
    }

    private static String processor(Path information) {
        try (Stream<String> lines = Files.lines(information)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(Machine::architecture);
        } catch (IOException e) { // not Linux
            return architecture();
        }
    }

    private static String architecture() {
        return System.getProperty("os.arch", "unknown processor");
    }

    /** One line about it, and about the command that measured. */
    String header(String command) {
        return line(java, command);
    }

    /** The same with a server that took part. */
    String header(String server, String command) {
        return line(java + "; " + server, command);
    }

    private String line(String software, String command) {
        return processor + ", " + cores + " cores; " + software + "; " + date + "; load " + load + " at the start; `"
                + command + "`\n";
    }
}
