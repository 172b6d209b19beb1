package dev.weir.redis;

import dev.weir.redis.Flight.Group;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/** The cached denials of all lines, oldest first, so that they can be discarded. Guarded by the {@link Combiner}. */
final class DenialMemory {
    private static final int MOST = 65_536;

    private final ArrayDeque<Remembered> remembered = new ArrayDeque<>();
    private final long longestNanos;
    private final Consumer<Line> letGo;

    private record Remembered(Line line, Denial denial) {}

    /** Caches each denial for the given time at most; calls back for lines whose denial was discarded. */
    DenialMemory(long longestNanos, Consumer<Line> letGo) {
        this.longestNanos = longestNanos;
        this.letGo = letGo;
    }

    /** Caches the denials among the answers of a script, unless the denials of their lines were lifted meanwhile. */
    void learn(Flight flight, List<Answer> answers) {
        if (longestNanos == 0) {
            return;
        }
        long now = System.nanoTime();
        int at = 0;
        for (Group group : flight.groups) {
            Line line = group.line();
            for (Call call : group.calls()) {
                Answer answer = at < answers.size() ? answers.get(at++) : null;
                if (answer != null && line != null && line.lifted == group.lifted() && Denial.isFor(call, answer)) {
                    Denial denial = new Denial(call, answer, flight.sentAt, now, longestNanos);
                    if (line.remember(denial, now)) {
                        remembered.add(new Remembered(line, denial));
                    }
                }
            }
        }
        forget(now);
    }

    /** Discards expired denials, and the oldest if there are too many. */
    void forget(long now) {
        Remembered oldest = remembered.peek();
        while (oldest != null && (remembered.size() > MOST || oldest.denial.isOver(now))) {
            remembered.remove();
            oldest.line.forget(oldest.denial);
            letGo.accept(oldest.line);
            oldest = remembered.peek();
        }
    }

    boolean isEmpty() {
        return remembered.isEmpty();
    }
}
