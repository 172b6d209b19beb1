package dev.weir.store;

import dev.weir.Limit;
import dev.weir.Limits;
import dev.weir.algorithm.Algorithm;
import dev.weir.algorithm.Algorithm.GiveBack;
import dev.weir.algorithm.Memory;
import dev.weir.store.Extras.Named;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is remembered of one key: its limits' memories, its block, and the last time seen. It is the memory of a limit
 * itself, so that a key with one limit is one object of 56 bytes. Guarded by its own lock, and so is every method, but
 * for those that say otherwise.
 */
final class KeyState extends LockedMemory {
    private static final int MAX_DORMANT = 64;
    private static final long BUSY_NANOS = 1_000; // between two requests for a key that several threads decide on

    private @Nullable Rules rules; // none until the request comes that this state was made for
    private @Nullable Extras extras;
    private long last;

    /** Valid until the lock is next taken. */
    private volatile @Nullable Denial denial;

    private KeyState(long now, @Nullable Extras extras) {
        super(now);
        this.last = now;
        this.extras = extras;
    }

    /** A copy, to look at what other limits would decide. */
    KeyState(KeyState other) {
        super(other);
        this.rules = other.rules;
        this.last = other.last;
        this.extras = other.extras == null ? null : other.extras.copy(other, this);
    }

    /** The state of a key that was never seen. */
    static KeyState own(long now) {
        return new KeyState(now, null);
    }

    /** A state for keys that find the store full. */
    static KeyState common(long now, int slot) {
        return new KeyState(now, new Extras(slot));
    }

    /** Whether the latest request was under these limits. */
    boolean keeps(Limits asked) {
        return rules != null && asked.equals(rules.limits);
    }

    /** Whether keys that found the store full share this state. Needs no lock. */
    boolean shared() {
        return slot() != Extras.OWN;
    }

    /** The place among the common states. Needs no lock. */
    int slot() {
        Extras known = extras; // a race with the lock's owner is benign: only an own state ever gets extras
        return known == null ? Extras.OWN : known.slot;
    }

    /** The cached denial, if any. Needs no lock. */
    @Nullable
    Denial cachedDenial() {
        return denial;
    }

    /** Takes the lock and clears the cached denial; false if this state is retired. */
    boolean enter() {
        return entered(lock(false));
    }

    /** Takes the lock as {@link #enter()} does, for a request that read the clock just now. */
    boolean enter(long reading) {
        return entered(lock(reading - last < BUSY_NANOS)); // a race with the lock's owner is benign: it is a guess
    }

    /** Takes the lock as {@link #enter()} does, but only if nobody has it. */
    boolean tryEnter() {
        return entered(tryLock());
    }

    private boolean entered(boolean locked) {
        if (!locked) {
            return false;
        }
        if (denial != null) {
            denial = null;
        }
        return true;
    }

    /** Caches a denial of one permit until the lock is next taken. */
    void cache(Denial answer) {
        denial = answer;
    }

    /** The last time seen; once this has gone, it needs no lock. */
    long seen() {
        return last;
    }

    /** How far a reading of the clock is behind what this key has seen. */
    long seenAfter(long reading) {
        return Math.max(0, last - reading);
    }

    /** The time of a step here: a clock's reading, kept from stepping back. */
    long nowAt(long reading) {
        return reading + seenAfter(reading);
    }

    /** Sets the last time seen, unless it is later already. */
    void advanceTo(long time) {
        if (time - last > 0) {
            last = time;
        }
    }

    /** Turns to a request, if one limit that did not change is all there is to look at; false if there is more. */
    boolean turnPlainlyTo(Limits asked, long reading) {
        if (extras != null || rules == null || !asked.equals(rules.limits)) {
            return false;
        }
        advanceTo(reading);
        return true;
    }

    /** Of a plain state: books permits if they fit now. */
    long take(long now, long permits) {
        return rules().first.take(this, now, permits);
    }

    /** Of a plain state: the wait until nothing is remembered. */
    long resetAfter(long now) {
        return rules().first.resetAfter(this, now);
    }

    /** Prepares this state for a request: sets the time and adopts changed limits. */
    void prepareFor(Limits asked, RulesCache cache, long now) {
        last = now;
        if (extras != null && extras.areIdle(now)) {
            extras = null;
        }
        if (rules == null || !asked.equals(rules.limits)) {
            adopt(cache.of(asked), now);
        }
    }

    /** Goes on under changed limits: what bears a limit's name and is of its algorithm serves it further. */
    private void adopt(Rules next, long now) {
        List<Named> kept = kept(now);
        Memory[] memories = new Memory[next.size()];
        for (int i = 0; i < memories.length; i++) {
            memories[i] = adopted(kept, next.limits.nameOf(i), next.all[i], now);
        }
        kept.removeIf(one -> one.algorithm().idle(one.memory(), now));
        List<Named> dormant = List.copyOf(kept.subList(Math.max(0, kept.size() - MAX_DORMANT), kept.size()));
        boolean free = dormant.stream().noneMatch(one -> one.memory() == this);
        for (Memory memory : memories) {
            free &= memory != this;
        }
        for (int i = 0; i < memories.length; i++) {
            if (memories[i] == null && free) {
                clear(now);
                memories[i] = this;
                free = false;
            } else if (memories[i] == null) {
                memories[i] = new FurtherMemory(now);
            }
        }
        rules = next;
        if (shared() || !dormant.isEmpty() || memories.length > 1 || memories[0] != this) {
            extras().memories = memories;
            extras().dormant = dormant;
        } else if (extras != null) {
            extras.memories = null;
            extras.dormant = List.of();
        }
    }

    private static @Nullable Memory adopted(List<Named> kept, String name, Algorithm algorithm, long now) {
        for (Named one : kept) {
            if (one.name().equals(name) && algorithm.adopt(one.memory(), one.algorithm(), now)) {
                kept.remove(one);
                return one.memory();
            }
        }
        return null;
    }

    private List<Named> kept(long now) {
        List<Named> kept = new ArrayList<>(extras == null ? List.of() : extras.dormant);
        kept.removeIf(one -> one.algorithm().idle(one.memory(), now));
        for (int i = 0; i < size(); i++) {
            kept.add(new Named(rules().limits.nameOf(i), rules().all[i], memory(i)));
        }
        return kept;
    }

    /**
     * Whether these limits can be remembered beside those of the other keys that share this state, so that neither forgets
     * what it must know.
     */
    boolean hasRoomFor(Limits asked, long now) {
        if (rules == null || asked.equals(rules.limits)) {
            return true;
        }
        List<Named> kept = kept(now);
        for (Named one : kept) {
            for (int i = 0; i < asked.list().size(); i++) {
                boolean same = one.name().equals(asked.nameOf(i));
                if (same
                        && !one.algorithm().idle(one.memory(), now)
                        && !one.algorithm().canAlternate(asked.list().get(i))) {
                    return false;
                }
            }
        }
        return kept.size() <= MAX_DORMANT;
    }

    private Extras extras() {
        if (extras == null) {
            extras = new Extras(Extras.OWN);
        }
        return extras;
    }

    private Rules rules() {
        if (rules == null) {
            throw new IllegalStateException("no request has come yet");
        }
        return rules;
    }

    /** The number of limits of the latest request. */
    int size() {
        return rules == null ? 0 : rules.size();
    }

    /** What is remembered under one limit. */
    Memory memory(int i) {
        return extras == null || extras.memories == null ? this : extras.memories[i];
    }

    private Algorithm rule(int i) {
        return rules().all[i];
    }

    /** The wait until the block ends; zero if there is none. */
    long blockedFor(long now) {
        return extras == null ? 0 : extras.blockedFor(now);
    }

    /** The least wait of {@code from} or longer that fits every limit and the block. */
    long earliest(long now, long from, long permits) {
        long wait = Math.max(from, blockedFor(now));
        return rules == null ? wait : rules.earliest(this, now, wait, permits);
    }

    boolean canBook(long now, long wait, long permits) {
        return !blocksOnly() && rules().canBook(this, now, wait, permits);
    }

    void book(long now, long wait, long permits) {
        rules().book(this, now, wait, permits);
    }

    GiveBack reserve(long now, long wait, long permits) {
        return rules().reserve(this, now, wait, permits);
    }

    /** Tells the limits of a denial; whether one of them remembers it, so that the wait has changed. */
    boolean denied(long now, long permits) {
        boolean remembered = false;
        for (int i = 0; !blocksOnly() && i < size(); i++) {
            remembered |= rule(i).denied(memory(i), now, permits);
        }
        return remembered;
    }

    /** The wait until permits fit one limit, whatever the others and a block say. */
    long earliest(int i, long now, long permits) {
        return rule(i).earliest(memory(i), now, 0, permits);
    }

    /** Reports the runs of one limit. */
    void forEachRun(int i, long now, Algorithm.RunVisitor visitor) {
        rule(i).forEachRun(memory(i), now, visitor);
    }

    /** What could be had now: the least over the limits, and none while blocked. */
    long remaining(long now) {
        return blockedFor(now) > 0 ? 0 : remaining(tightest(now), now);
    }

    /** What could be had now under one limit. */
    long remaining(int i, long now) {
        return rule(i).remaining(memory(i), now);
    }

    /** The wait until one limit remembers nothing. */
    long resetAfter(int i, long now) {
        return rule(i).resetAfter(memory(i), now);
    }

    /** The limit with the latest fit. */
    int latest(long now, long permits) {
        return rules == null ? 0 : rules.latest(this, now, permits);
    }

    /** The limit with the least remaining. */
    int tightest(long now) {
        return rules == null ? 0 : rules.tightest(this, now);
    }

    Limit limit(int i) {
        return rule(i).limit();
    }

    /** Of a denial although ready to wait: when the limits would have it tried again. */
    long retry(long now, long wait, long permits) {
        long retry = blockedFor(now);
        for (int i = 0; i < size(); i++) {
            retry = Math.max(retry, rule(i).retry(memory(i), now, wait, permits));
        }
        return retry;
    }

    /** Denies everything for so long; as all that this state is there for, if another one counts for the key. */
    void block(long now, long nanos, boolean only) {
        Extras changed = extras();
        changed.notAwaited = true;
        changed.blockOnly |= only;
        if (nanos > changed.blockedFor(now)) {
            changed.blocked = true;
            changed.blockedUntil = now + nanos;
        }
    }

    /** Lifts the block. */
    void unblock() {
        if (extras != null) {
            extras.blocked = false;
        }
    }

    /** Whether what is remembered here is all that counts for one key. */
    boolean countsAlone() {
        return extras == null || (extras.slot == Extras.OWN && !extras.blockOnly);
    }

    /** Whether another state counts for the key. */
    boolean blocksOnly() {
        return extras != null && extras.blockOnly;
    }

    /** Whether nothing is remembered. */
    boolean isIdle(long now) {
        for (int i = 0; i < size(); i++) {
            if (!rule(i).idle(memory(i), now)) {
                return false;
            }
        }
        return blockedFor(now) == 0 && (extras == null || extras.isNothingDormant(now));
    }

    /** Whether this state was there to block only, and the block is over; then it leaves. */
    boolean blockIsOver(long reading) {
        return blocksOnly() && leave(reading);
    }

    /** Leaves if nothing is remembered and nobody is on the way here; then it answers nobody any more. */
    boolean leave(long reading) {
        boolean awaited = rules == null && (extras == null || !extras.notAwaited);
        if (awaited || !isIdle(nowAt(reading))) {
            return false;
        }
        last = nowAt(reading);
        goForGood();
        return true;
    }

    /** The request that this state was made for does not come. */
    void release() {
        if (rules == null) {
            extras().notAwaited = true;
        }
    }
}
