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

/** A separate process that reserves permits as fast as it can, and writes its grants and refunds to a file. */
final class Worker implements AutoCloseable {

    private static final long PAUSE_NANOS = 2_000_000; // after a denial or a failure
    private static final long LEAST_GRANTED = 200; // reservations
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30); // until then

    /**
     * The parameters of a worker.
     *
     * @param maxWait the longest wait of every second reservation; the worker does not wait for its start
     * @param refundEvery one reservation in this number is refunded; 0 for none
     */
    record Task(
            String uri, String limits, int keys, int threads, Duration maxWait, int refundEvery, Duration duration) {
        private List<String> words() {
            return List.of(
                    uri,
                    limits,
                    Integer.toString(keys),
                    Integer.toString(threads),
                    Long.toString(maxWait.toNanos()),
                    Integer.toString(refundEvery),
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

    /** Starts a process. */
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

    /** Waits until the process ends, and adds its events to a trace. */
    void addTo(Trace trace) {
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.onExit().join().exitValue() != 0) {
                throw new AssertionError("a worker failed:\n" + output);
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

    /** Runs in the process. Arguments: the file to write to, then the task's. Fails if a call throws anything but a StoreException. */
    public static void main(String... words) throws InterruptedException {
        Task task = Task.of(List.of(words).subList(1, words.length).toArray(String[]::new));
        Trace trace = new Trace();
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (RedisStore store =
                RedisStore.builder(task.uri).timeout(Duration.ofSeconds(10)).connect()) {
            Limits limits = Limits.parse(task.limits);
            AtomicLong granted = new AtomicLong();
            long start = System.nanoTime();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < task.threads; i++) {
                Thread thread = new Thread(() -> {
                    while (failures.isEmpty() && !isOver(task, start, granted.get())) {
                        tryReserve(task, store, limits, granted, trace);
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

    /** On a busy machine, the time of a task is over before much has happened. */
    private static boolean isOver(Task task, long start, long granted) {
        return System.nanoTime() - start >= (granted < LEAST_GRANTED ? MOST_NANOS : task.duration.toNanos());
    }

    /** Reserves once. A StoreException is not a failure: nobody holds the permits that the server may have granted. */
    private static void tryReserve(Task task, RedisStore store, Limits limits, AtomicLong granted, Trace trace) {
        try {
            reserve(task, store, limits, granted, trace);
        } catch (StoreException failure) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void reserve(Task task, RedisStore store, Limits limits, AtomicLong granted, Trace trace) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String key = "key" + random.nextInt(task.keys);
        long permits = random.nextInt(4) == 0 ? 2 : 1;
        long maxWait = random.nextBoolean() ? task.maxWait.toNanos() : 0;
        StoreReservation reservation = store.reserve(List.of(Request.of("worker", limits, key, permits)), maxWait);
        if (reservation.decision().allowed()) {
            trace.granted(reservation, key, permits);
            long number = granted.incrementAndGet();
            if (task.refundEvery > 0 && number % task.refundEvery == 0) {
                trace.refunded(reservation, key, permits);
                reservation.refund(permits);
            }
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
