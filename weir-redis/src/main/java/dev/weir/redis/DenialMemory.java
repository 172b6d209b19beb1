package dev.weir.redis;

import dev.weir.redis.Flight.Group;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;

/** The denials that lines remember, oldest first, so that they can be forgotten. Guarded by the {@link Combiner}. */
final class DenialMemory {
    private static final int MOST = 65_536;

    private final ArrayDeque<Remembered> remembered = new ArrayDeque<>();
    private final long longestNanos;
    private final Consumer<Line> letGo;

    private record Remembered(Line line, Denial denial) {}

    /** Remembers each for the longest time at most; a line that has forgotten may be let go. */
    DenialMemory(long longestNanos, Consumer<Line> letGo) {
        this.longestNanos = longestNanos;
        this.letGo = letGo;
    }

    /** Has the lines of a flight remember the denials among its answers, unless they were lifted meanwhile. */
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
                    Denial denial = new Denial(call, answer.decision(), flight.sentAt, now, longestNanos);
                    if (line.remember(denial, now)) {
                        remembered.add(new Remembered(line, denial));
                    }
                }
            }
        }
        forget(now);
    }

    /** Forgets what is over, and the oldest of too many: the server is asked again then. */
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
