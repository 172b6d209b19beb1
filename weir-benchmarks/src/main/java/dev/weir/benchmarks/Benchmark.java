package dev.weir.benchmarks;

import dev.weir.benchmarks.report.Section;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be measured. */
enum Benchmark {
    /** Limiters in the memory of this JVM. */
    MEMORY(Section.MEMORY),
    /** Limiters whose state is on Redis. */
    REDIS(Section.REDIS);

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> sections;

    Benchmark(List<String> sections) {
        this.sections = sections;
    }

    /** The one of this name, if there is. */
    static Optional<Benchmark> of(String name) {
        return Stream.of(values()).filter(one -> one.title().equals(name)).findFirst();
    }

    /** Its name on the command line. */
    String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The places of its report on a page. */
    List<String> sections() {
        return sections;
    }
}
