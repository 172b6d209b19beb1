package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.store.StoreReservation;
import dev.weir.testkit.TraceChecker;
import dev.weir.testkit.TraceEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * The grants and refunds of any number of threads or processes, at the server's instants. A reservation whose answer never
 * arrived is held by nobody, and is not in the trace. Thread-safe.
 */
final class Trace {
    private final Queue<TraceEvent> events = new ConcurrentLinkedQueue<>();

    void granted(StoreReservation reservation, String key, long permits) {
        events.add(new TraceEvent(instantMicros(reservation) * 1_000, key, permits, TraceEvent.Kind.ALLOWED));
    }

    /** Records a refund. Call this before the refund is sent, so that nobody else can be granted the permits earlier. */
    void refunded(StoreReservation reservation, String key, long permits) {
        events.add(new TraceEvent(instantMicros(reservation) * 1_000, key, permits, TraceEvent.Kind.REFUNDED));
    }

    /** Returns the instant for which a reservation was granted, in microseconds of the server's clock. */
    static long instantMicros(StoreReservation reservation) {
        Decision decision = reservation.decision();
        return (decision.timeNanos() + decision.waitNanos()) / 1_000;
    }

    /** Adds the lines of a file. */
    void addAll(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            lines.map(line -> line.split(" ", 3)).forEach(parts -> {
                long permits = Long.parseLong(parts[1]);
                TraceEvent.Kind kind = permits > 0 ? TraceEvent.Kind.ALLOWED : TraceEvent.Kind.REFUNDED;
                events.add(new TraceEvent(Long.parseLong(parts[0]), parts[2], Math.abs(permits), kind));
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Adds the events of another trace. */
    void addAll(Trace other) {
        events.addAll(other.events);
    }

    /** Writes one line for each event: nanoseconds, permits (negative if refunded), key. */
    void writeTo(Path file) {
        try {
            Files.write(
                    file,
                    events.stream()
                            .map(event -> event.timeNanos() + " "
                                    + (event.kind() == TraceEvent.Kind.ALLOWED ? event.permits() : -event.permits())
                                    + " " + event.key())
                            .toList());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Asserts that no window holds more permits than the limit. */
    void assertHolds(Limit limit) {
        assertThat(TraceChecker.check(limit, events).violation())
                .as("of %s events", events.size())
                .isNull();
    }

    /** Returns the number of permits held in all. */
    long permits() {
        return permits(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Returns the number of permits held at or after one instant and before another. */
    long permits(long fromNanos, long toNanos) {
        return events.stream()
                .filter(event -> fromNanos <= event.timeNanos() && event.timeNanos() < toNanos)
                .mapToLong(event -> event.kind() == TraceEvent.Kind.ALLOWED ? event.permits() : -event.permits())
                .sum();
    }

    /** Returns the events at or after one instant and before another. */
    Trace between(long fromNanos, long toNanos) {
        Trace part = new Trace();
        events.stream()
                .filter(event -> fromNanos <= event.timeNanos() && event.timeNanos() < toNanos)
                .forEach(part.events::add);
        return part;
    }

    long firstNanos() {
        return events.stream().mapToLong(TraceEvent::timeNanos).min().orElseThrow();
    }

    long lastNanos() {
        return events.stream().mapToLong(TraceEvent::timeNanos).max().orElseThrow();
    }
}
