package dev.weir.benchmarks.run;

/** A garbage collector of the JVM. */
public enum Collector {
    /** The JVM's own choice on a server. */
    G1("G1", "-XX:+UseG1GC"),
    /** The one with the cheapest write barrier that uses more than one thread. */
    PARALLEL("Parallel", "-XX:+UseParallelGC");

    private final String title;
    private final String option;

    Collector(String title, String option) {
        this.title = title;
        this.option = option;
    }

    /** Its usual name. */
    public String title() {
        return title;
    }

    /** The JVM's option that chooses it. */
    public String option() {
        return option;
    }
}
