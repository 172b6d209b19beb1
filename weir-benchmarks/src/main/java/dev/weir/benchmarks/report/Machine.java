package dev.weir.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.stream.Stream;

/** What the figures are measured on: this machine, and its JVMs. */
public final class Machine {
    private static final String ARCHITECTURE = System.getProperty("os.arch", "unknown processor");

    private Machine() {}

    /** Returns one line about this machine now, and the command that measures. */
    public static String header(String command) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        String atStart = load < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", load);
        String cores = processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores; ";
        String vm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + "; ";
        return cores + vm + LocalDate.now(ZoneOffset.UTC) + "; load " + atStart + " at the start; `" + command + "`";
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(ARCHITECTURE);
        } catch (IOException e) { // not Linux
            return ARCHITECTURE;
        }
    }
}
