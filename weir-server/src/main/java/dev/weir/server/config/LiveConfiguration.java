package dev.weir.server.config;

import dev.weir.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;

/** The configuration in force. It is replaced as a whole; a request reads it once. Thread-safe; one thread replaces. */
public final class LiveConfiguration implements FollowedFiles.Use<Map<Path, String>> {
    private final ConfigurationSource source;
    private final Store store;
    private final Function<Configuration, Runnable> listener;
    private volatile InForce inForce;
    private volatile List<String> problems = List.of();
    private volatile int version = 1;
    private String change = "";

    /**
     * A configuration that is in force.
     *
     * @param texts the text of each of its files
     * @param digests the SHA-256 of each text
     * @param checksum that of the texts, equal for servers that have the same
     * @param since when it came into force
     */
    public record InForce(
            Configuration configuration,
            Map<Path, String> texts,
            Map<Path, String> digests,
            long checksum,
            Instant since) {}

    /**
     * Reads a configuration and puts it in force.
     *
     * @param store the store that is to hold its limits
     * @param listener is given each configuration before it is in force, also this one; what it returns is run when it is
     * @throws ConfigurationException if there is a problem
     */
    public LiveConfiguration(ConfigurationSource source, Store store, Function<Configuration, Runnable> listener) {
        this.source = source;
        this.store = store;
        this.listener = listener;
        this.inForce = read(source.texts());
        listener.apply(current()).run();
    }

    private InForce read(Map<Path, String> texts) {
        Configuration configuration = source.read(texts, store::check);
        CRC32 checksum = new CRC32();
        Map<Path, String> digests = new LinkedHashMap<>();
        texts.forEach((file, text) -> {
            checksum.update(text.getBytes(StandardCharsets.UTF_8));
            digests.put(file, KeyText.sha256(text));
        });
        return new InForce(configuration, texts, digests, checksum.getValue(), Instant.now());
    }

    public Configuration current() {
        return inForce.configuration;
    }

    /** Returns the configuration in force, and where it is from. */
    public InForce inForce() {
        return inForce;
    }

    /** Returns why the latest files are not in force; empty if they are. */
    public List<String> problems() {
        return problems;
    }

    /** Returns a number that grows when any of this changes. */
    public int version() {
        return version;
    }

    /** Puts changed files in force. */
    @Override
    public void accept(Map<Path, String> texts) {
        InForce next = read(texts);
        change = next.configuration.changeFrom(current());
        Runnable afterwards = listener.apply(next.configuration);
        inForce = next;
        setProblems(List.of());
        afterwards.run();
    }

    @Override
    public String change() {
        return change;
    }

    /** Keeps the configuration in force. */
    @Override
    public void rejected(List<String> reasons) {
        setProblems(reasons);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread replaces
    private void setProblems(List<String> reasons) {
        problems = reasons;
        version++;
    }
}
