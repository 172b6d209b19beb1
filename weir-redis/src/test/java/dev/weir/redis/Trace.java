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
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * What was booked, at the server's instants, by any number of threads or processes. Whoever has a favourable answer holds
 * permits; a booking whose answer never came is held by nobody, and is not in the trace. Thread-safe.
 */
final class Trace {
    private final Queue<TraceEvent> events = new ConcurrentLinkedQueue<>();

    void booked(StoreReservation booking, String key, long permits) {
        events.add(new TraceEvent(instantMicros(booking) * 1_000, key, permits, TraceEvent.Kind.ALLOWED));
    }

    /** Records that permits are no longer held: before they are given back, so that nobody else can have them earlier. */
    void givenBack(StoreReservation booking, String key, long permits) {
        events.add(new TraceEvent(instantMicros(booking) * 1_000, key, permits, TraceEvent.Kind.REFUNDED));
    }

    /** When the booking's turn is, on the server's clock. */
    static long instantMicros(StoreReservation booking) {
        Decision decision = booking.decision();
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

    /** Writes a line an event: nanoseconds, permits (negative if given back), key. */
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

    /** No window holds more than the limit. */
    void assertHolds(Limit limit) {
        assertThat(TraceChecker.check(limit, events).violation())
                .as("of %s events", events.size())
                .isNull();
    }

    /** The permits held in all. */
    long permits() {
        return permits(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** The permits held from one instant on and before another. */
    long permits(long fromNanos, long toNanos) {
        return events.stream()
                .filter(event -> fromNanos <= event.timeNanos() && event.timeNanos() < toNanos)
                .mapToLong(event -> event.kind() == TraceEvent.Kind.ALLOWED ? event.permits() : -event.permits())
                .sum();
    }

    /** What was booked from one instant on and before another. */
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

    List<String> keys() {
        return new ArrayList<>(events.stream().map(TraceEvent::key).distinct().toList());
    }
}
