package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script on its way, and those who wait for its answer: in groups, each on keys of its own. */
final class Flight {
    final Script script;
    final List<Group> groups;
    final int slot;

    /** When it was sent, by {@link System#nanoTime}. */
    final long sentAt = System.nanoTime();

    /** It keeps nobody from being sent any more: its time is over. Guarded by the {@link Combiner}. */
    boolean late;

    /** Somebody has waited for it in vain. Guarded as well. */
    boolean unanswered;

    private final byte[][] keys;
    private final byte @Nullable [][] values;

    /** Calls on the same keys and limits, with their line and how often it was lifted before; a line of none stands alone. */
    record Group(@Nullable Line line, int lifted, List<Call> calls) {}

    /** Asks for decisions on what the lines are for. */
    Flight(List<Group> groups, List<Line> lines) {
        this.script = Script.DECIDE;
        this.groups = groups;
        this.slot = lines.get(0).slot;
        this.keys = new byte[2 * lines.size()][];
        for (int i = 0; i < lines.size(); i++) {
            keys[2 * i] = lines.get(i).names[0];
            keys[2 * i + 1] = lines.get(i).names[1];
        }
        this.values = null;
    }

    /** One call, on keys of one slot; without values it asks for a decision. */
    Flight(Script script, Call call, byte[][] keys, byte @Nullable [][] values) {
        this.script = script;
        this.groups = List.of(new Group(null, 0, List.of(call)));
        this.slot = Keys.slot(keys);
        this.keys = keys;
        this.values = values;
    }

    byte[][] keys() {
        return keys;
    }

    /** The script's arguments; a request to decide is packed with this time, see {@link PackedAsks#SERVER_TIME}. */
    byte[][] values(byte[] time) {
        return values != null ? values : PackedAsks.of(time, askers(), false);
    }

    /** Whether it is answered with decisions. */
    boolean decides() {
        return script == Script.DECIDE;
    }

    List<List<Call>> askers() {
        return groups.stream().map(Group::calls).toList();
    }

    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        groups.forEach(group -> calls.addAll(group.calls));
        return calls;
    }
}
