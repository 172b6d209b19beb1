package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script that was sent, and the calls that wait for its answer, in groups: each group has keys of its own. */
final class Flight {
    final Script script;
    final List<Group> groups;
    final int slot;

    /** When it was sent, by {@link System#nanoTime}. */
    final long sentAt = System.nanoTime();

    /** Whether it no longer counts toward the in-flight limit. Guarded by the {@link Combiner}. */
    boolean late;

    /** Whether a call has timed out. Guarded as well. */
    boolean unanswered;

    private final byte[][] keys;
    private final byte @Nullable [][] values;

    /** Calls on the same keys and limits, with their line, if any, and how often its denials were lifted before. */
    record Group(@Nullable Line line, int lifted, List<Call> calls) {}

    /** A script that decides the calls of some lines. */
    Flight(Script script, List<Group> groups, List<Line> lines) {
        this.script = script;
        this.groups = groups;
        this.slot = lines.get(0).slot;
        this.keys = new byte[2 * lines.size()][];
        for (int i = 0; i < lines.size(); i++) {
            keys[2 * i] = lines.get(i).names[0];
            keys[2 * i + 1] = lines.get(i).names[1];
        }
        this.values = null;
    }

    /** A script of one call, on keys of one slot; without values it decides. */
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

    /** The script's arguments; a request to decide is packed with this time, see {@link PackedRequests#SERVER_TIME}. */
    byte[][] values(byte[] time) {
        return values != null ? values : PackedRequests.of(time, callsOfGroups(), false);
    }

    /** Whether the answer consists of decisions. */
    boolean decides() {
        return script.decides();
    }

    List<List<Call>> callsOfGroups() {
        return groups.stream().map(Group::calls).toList();
    }

    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        groups.forEach(group -> calls.addAll(group.calls));
        return calls;
    }
}
