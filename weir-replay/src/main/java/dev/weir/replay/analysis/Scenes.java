package dev.weir.replay.analysis;

import dev.weir.Accounting.Method;
import dev.weir.Limit;
import dev.weir.replay.Recording;
import dev.weir.replay.Recording.Moment;
import dev.weir.replay.ReplayResult;
import dev.weir.replay.trace.Trace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choice of what is drawn of worst windows: the first limit of each algorithm. A sliding log is shown where a fixed window of
 * the same length is at its worst, so that the two can be compared. Queues are left out: their requests count when they leave, not
 * when they arrive.
 */
final class Scenes {
    private Scenes() {}

    /** Returns empty scenes, in the order of the limits. */
    static List<Scene> of(Trace trace, Recording recording, long unitNanos) {
        List<Scene> scenes = new ArrayList<>();
        Set<Method> drawn = EnumSet.of(Method.QUEUE, Method.NOTHING); // these are never drawn
        for (int i = 0; i < recording.results().size(); i++) {
            Limit limit = recording.results().get(i).limit();
            Moment moment = moment(recording, i);
            if (moment != null && drawn.add(limit.accounting().method())) {
                scenes.add(new Scene(i, limit, moment, trace.key(moment.key()), unitNanos));
            }
        }
        return scenes;
    }

    private static @Nullable Moment moment(Recording recording, int index) {
        Limit limit = recording.results().get(index).limit();
        if (limit.accounting().method() == Method.LOG) {
            for (int other = 0; other < recording.results().size(); other++) {
                if (isFixed(recording.results().get(other), limit)) {
                    return recording.worst(other);
                }
            }
        }
        return recording.worst(index);
    }

    private static boolean isFixed(ReplayResult result, Limit log) {
        return result.limit().accounting().method() == Method.CLOCK_WINDOWS
                && Objects.equals(result.limit().window(), log.window());
    }
}
