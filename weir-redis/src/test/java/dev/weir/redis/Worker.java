package dev.weir.redis;

import dev.weir.Limits;
import dev.weir.Request;
import dev.weir.store.StoreException;
import dev.weir.store.StoreReservation;
import dev.weir.testing.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A process of its own that books as fast as it can, and writes down what it got. */
final class Worker implements AutoCloseable {

    private static final long PAUSE_NANOS = 100_000; // after a denial

    /**
     * What it does.
     *
     * @param patience how long it would wait for a turn; it books ahead and does not wait
     * @param giveBackEvery one booking in this number is given back; 0 for none
     */
    record Task(
            String uri, String limits, int keys, int threads, Duration patience, int giveBackEvery, Duration duration) {
        private List<String> words() {
            return List.of(
                    uri,
                    limits,
                    Integer.toString(keys),
                    Integer.toString(threads),
                    Long.toString(patience.toNanos()),
                    Integer.toString(giveBackEvery),
                    Long.toString(duration.toNanos()));
        }

        private static Task of(String... words) {
            return new Task(
                    words[0],
                    words[1],
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]),
                    Duration.ofNanos(Long.parseLong(words[4])),
                    Integer.parseInt(words[5]),
                    Duration.ofNanos(Long.parseLong(words[6])));
        }
    }

    private final Process process;
    private final Path file;

    private Worker(Process process, Path file) {
        this.process = process;
        this.file = file;
    }

    /** Starts one. */
    static Worker start(Task task) {
        try {
            Path file = Files.createTempFile("weir-worker", ".trace");
            List<String> command = new ArrayList<>(JavaCommand.of(
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    Worker.class.getName(),
                    file.toString()));
            command.addAll(task.words());
            return new Worker(
                    new ProcessBuilder(command).redirectErrorStream(true).start(), file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until it is done, and adds what it got. */
    void addTo(Trace trace) {
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.onExit().join().exitValue() != 0) {
                throw new AssertionError("a worker failed:\n" + said);
            }
            trace.addAll(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The process: the file to write to, and the task's words. Fails if a call does other than a store may. */
    public static void main(String... words) throws InterruptedException {
        Task task = Task.of(List.of(words).subList(1, words.length).toArray(String[]::new));
        Trace trace = new Trace();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (RedisStore store =
                RedisStore.builder(task.uri).timeout(Duration.ofSeconds(1)).connect()) {
            Limits limits = Limits.parse(task.limits);
            long end = System.nanoTime() + task.duration.toNanos();
            AtomicLong booked = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < task.threads; i++) {
                Thread thread = new Thread(() -> {
                    while (failures.isEmpty() && end - System.nanoTime() > 0) {
                        once(task, store, limits, booked, trace);
                    }
                });
                thread.setUncaughtExceptionHandler((failed, why) -> failures.add(why));
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join(TimeUnit.MINUTES.toMillis(1));
            }
        }
        failures.forEach(Throwable::printStackTrace);
        trace.writeTo(Path.of(words[0]));
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    /** Asks once. That the store does not answer in time is nothing to a worker: nobody has what it may have booked. */
    private static void once(Task task, RedisStore store, Limits limits, AtomicLong booked, Trace trace) {
        try {
            book(task, store, limits, booked, trace);
        } catch (StoreException failure) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void book(Task task, RedisStore store, Limits limits, AtomicLong booked, Trace trace) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String key = "key" + random.nextInt(task.keys);
        long permits = random.nextInt(4) == 0 ? 2 : 1;
        long patience = random.nextBoolean() ? task.patience.toNanos() : 0;
        StoreReservation booking = store.reserve(List.of(Request.of("worker", limits, key, permits)), patience);
        if (booking.decision().allowed()) {
            trace.booked(booking, key, permits);
            if (task.giveBackEvery > 0 && booked.incrementAndGet() % task.giveBackEvery == 0) {
                trace.givenBack(booking, key, permits);
                booking.refund(permits);
            }
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
