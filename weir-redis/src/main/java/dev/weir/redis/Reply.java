package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Request;
import dev.weir.Status;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of a script that decides, as request.lua and decide.lua write it. An entry answers a number of equal joint requests that
 * follow each other.
 */
final class Reply {
    private static final int DENIED = 0;
    private static final int ALLOWED = 1;
    private static final int UNDECIDED = 8;
    private static final int REFUSED = 9;
    private static final int BLOCKED = 2;

    private final ByteBuffer packed;

    // of the present entry
    private int count;
    private int answered;
    private boolean allowed;
    private boolean blocked;
    private boolean undecided;
    private long step; // by which what remains falls with each request
    private long delayNanos; // the wait if it is allowed, else the retry-after
    private long timeNanos;
    private long cacheableNanos;
    private byte[] handle = Answer.NO_HANDLE;
    private final List<Status> statuses = new ArrayList<>(); // of the first request of the entry

    private Reply(byte[] packed) {
        this.packed = ByteBuffer.wrap(packed);
    }

    /** Returns the answer to each joint request, in their order. */
    static List<Answer> answers(byte[] packed, List<? extends List<? extends JointRequest>> groups) {
        Reply reply = new Reply(packed);
        List<Answer> answers = new ArrayList<>();
        for (List<? extends JointRequest> group : groups) {
            String refusal = reply.refusal();
            for (JointRequest each : group) {
                answers.add(refusal.isEmpty() ? reply.next(each) : Answer.refused(refusal));
            }
        }
        return answers;
    }

    /** Returns why the next group was not decided; empty if it was. */
    private String refusal() {
        if (packed.get(packed.position()) != REFUSED) {
            return "";
        }
        packed.position(packed.position() + 1 + Integer.BYTES);
        byte[] text = new byte[packed.getShort()];
        packed.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private Answer next(JointRequest joint) {
        if (count == 0) {
            read(joint);
        }
        count--;
        if (undecided) {
            return Answer.UNDECIDED;
        }
        Decision decision = joint.hasSeveralLimits()
                ? Decision.of(fallenStatuses(), allowed, delayNanos, timeNanos)
                : decision(statuses.get(0));
        answered++;
        return new Answer(blocked && !allowed ? decision.asBlocked() : decision, cacheableNanos, handle, "");
    }

    private Decision decision(Status only) {
        long left = fallen(only.remaining());
        return allowed
                ? Decision.allowed(only.limit(), left, delayNanos, only.resetAfterNanos(), timeNanos)
                : Decision.denied(only.limit(), left, delayNanos, only.resetAfterNanos(), timeNanos);
    }

    /** Returns what remains after the entry's next request, given what remains after the first. */
    private long fallen(long afterFirst) {
        return afterFirst == Long.MAX_VALUE ? afterFirst : afterFirst - answered * step;
    }

    private List<Status> fallenStatuses() {
        if (answered == 0 || step == 0) {
            return statuses;
        }
        List<Status> later = new ArrayList<>(statuses.size());
        for (Status first : statuses) {
            later.add(new Status(
                    first.request(),
                    first.limit(),
                    fallen(first.remaining()),
                    first.retryAfterNanos(),
                    first.resetAfterNanos()));
        }
        return later;
    }

    private void read(JointRequest joint) {
        int kind = packed.get();
        count = packed.getInt();
        answered = 0;
        blocked = false;
        undecided = false;
        cacheableNanos = Long.MAX_VALUE;
        statuses.clear();
        switch (kind) {
            case DENIED -> readDenied(joint.requests().get(0).limits().list().get(0));
            case ALLOWED -> readAllowed(joint);
            case UNDECIDED -> undecided = true;
            default -> readAny(joint.requests());
        }
    }

    private void readDenied(Limit only) {
        allowed = false;
        step = 0;
        long left = number();
        delayNanos = nanos(packed.getLong());
        statuses.add(new Status(0, only, left, delayNanos, nanos(number())));
        timeNanos = nanos(number());
        handle = Answer.NO_HANDLE;
    }

    private void readAllowed(JointRequest joint) {
        allowed = true;
        step = joint.requests().get(0).permits(); // equal for all, if more than one is answered
        delayNanos = 0;
        timeNanos = nanos(number());
        ByteArrayOutputStream handles = new ByteArrayOutputStream();
        for (int i = 0; i < joint.requests().size(); i++) {
            for (Limit each : joint.requests().get(i).limits().list()) {
                statuses.add(new Status(i, each, number(), 0, nanos(number())));
                handles.writeBytes(bytes(packed.get()));
            }
        }
        handle = handles.toByteArray();
    }

    private void readAny(List<Request> requests) {
        int outcome = packed.get();
        allowed = outcome % 2 == 1;
        blocked = outcome >= BLOCKED;
        step = number();
        delayNanos = nanos(packed.getLong());
        timeNanos = nanos(number());
        handle = bytes(packed.getShort() & 0xFFFF);
        if (blocked) {
            cacheableNanos = nanos(packed.getLong());
        }
        for (int i = 0; i < requests.size(); i++) {
            for (Limit each : requests.get(i).limits().list()) {
                long left = permits(packed.getLong());
                long retryAfter = nanos(packed.getLong());
                statuses.add(new Status(i, each, left, retryAfter, nanos(packed.getLong())));
            }
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = length == 0 ? Answer.NO_HANDLE : new byte[length];
        packed.get(bytes);
        return bytes;
    }

    /** Reads a number of 7 bytes. */
    private long number() {
        return ((long) packed.get() << 48) | ((packed.getShort() & 0xFFFFL) << 32) | (packed.getInt() & 0xFFFF_FFFFL);
    }

    private static long permits(long number) {
        return number < 0 ? Long.MAX_VALUE : number;
    }

    private static long nanos(long micros) {
        return micros < 0 ? Long.MAX_VALUE : micros * 1000;
    }
}
