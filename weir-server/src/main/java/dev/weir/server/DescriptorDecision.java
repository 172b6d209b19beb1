package dev.weir.server;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Request;
import dev.weir.Reservation;
import dev.weir.server.Rule.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The decision on one request of Envoy. Live rules allow it together or take nothing; then rules in quota mode are asked, each
 * alone, and if none of them allows it, the live rules get their permits back; then rules in shadow mode, which change nothing.
 * A rule that is not asked because the request is denied is peeked at, so that every descriptor has a status.
 *
 * <p>Used by one thread at a time; no step blocks.
 */
final class DescriptorDecision {
    private final Limiters limiters;
    private final List<Descriptor> descriptors; // those that a rule limits
    private final List<Reservation> reserved = new ArrayList<>(1);
    private boolean denied;
    private boolean degraded;

    DescriptorDecision(Limiters limiters, List<Descriptor> descriptors) {
        this.limiters = limiters;
        this.descriptors = descriptors;
    }

    /** Returns whether the request is denied. */
    boolean denied() {
        return denied;
    }

    /** Returns whether the store did not decide. */
    boolean degraded() {
        return degraded;
    }

    /** Gives back what was acquired, because the client does not wait for the answer any more. */
    void cancel() {
        reserved.forEach(Reservation::cancel);
    }

    /** Asks all rules; the future completes when they have been asked. */
    CompletableFuture<DescriptorDecision> decide() {
        if (descriptors.stream().allMatch(descriptor -> descriptor.is(Mode.LIVE) && !descriptor.looks())) {
            return descriptors.isEmpty() ? CompletableFuture.completedFuture(this) : reserveTogether(descriptors);
        }
        return look(of(Mode.LIVE, Descriptor::looks))
                .thenCompose(looked -> together(of(Mode.LIVE, descriptor -> !descriptor.looks())))
                .thenCompose(live -> quota())
                .thenCompose(quota -> denied ? look(unasked()) : shadow());
    }

    /** Asks each rule by itself, whatever the others say, as envoyproxy/ratelimit does. */
    CompletableFuture<DescriptorDecision> decideSeparately() {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Descriptor descriptor : descriptors) {
            asked.add(descriptor.looks() ? peek(descriptor) : reserve(descriptor));
        }
        return all(asked).thenApply(done -> {
            denied = isOver(Mode.LIVE) || isQuotaOver();
            return this;
        });
    }

    private List<Descriptor> of(Mode mode, Predicate<Descriptor> condition) {
        return descriptors.stream()
                .filter(descriptor -> descriptor.is(mode) && condition.test(descriptor))
                .toList();
    }

    private List<Descriptor> unasked() {
        return descriptors.stream()
                .filter(descriptor -> descriptor.status() == null)
                .toList();
    }

    private boolean isOver(Mode mode) {
        return descriptors.stream().anyMatch(descriptor -> descriptor.is(mode) && descriptor.over());
    }

    private boolean isQuotaOver() {
        List<Descriptor> quota = of(Mode.QUOTA, descriptor -> true);
        return !quota.isEmpty() && quota.stream().allMatch(Descriptor::over);
    }

    private CompletableFuture<DescriptorDecision> look(List<Descriptor> looked) {
        return all(looked.stream().map(this::peek).toList()).thenApply(done -> {
            denied |= isOver(Mode.LIVE);
            return this;
        });
    }

    private CompletableFuture<DescriptorDecision> together(List<Descriptor> live) {
        return denied || live.isEmpty() ? CompletableFuture.completedFuture(this) : reserveTogether(live);
    }

    private CompletableFuture<DescriptorDecision> reserveTogether(List<Descriptor> live) {
        JointRequests joint = new JointRequests(limiters, live);
        CompletableFuture<Reservation> reserving = RateLimiter.reserveAllAsync(Duration.ZERO, joint.requests());
        CompletableFuture<Decision> decided = reserving.thenApply(reservation -> {
            Decision decision = reservation.decision();
            for (int i = 0; i < live.size(); i++) {
                live.get(i).decided(decision, joint.position(i));
            }
            denied = !decision.allowed();
            took(reservation);
            return decision;
        });
        return decided.thenCompose(decision -> {
            boolean anyBlocked = decision.blocked() && live.size() > 1; // one of them, and a look at each says which
            return anyBlocked ? look(live) : CompletableFuture.completedFuture(this);
        });
    }

    private CompletableFuture<DescriptorDecision> quota() {
        if (denied) {
            return CompletableFuture.completedFuture(this);
        }
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Descriptor descriptor : of(Mode.QUOTA, descriptor -> true)) {
            asked.add(descriptor.looks() ? peek(descriptor) : reserve(descriptor));
        }
        return all(asked).thenApply(done -> {
            if (isQuotaOver()) {
                denied = true;
                cancel();
            }
            return this;
        });
    }

    private CompletableFuture<DescriptorDecision> shadow() {
        List<CompletableFuture<?>> asked = new ArrayList<>();
        for (Descriptor descriptor : of(Mode.SHADOW, descriptor -> true)) {
            asked.add(descriptor.looks() ? peek(descriptor) : reserve(descriptor));
        }
        return all(asked);
    }

    private CompletableFuture<?> reserve(Descriptor descriptor) {
        Request request = limiters.descriptor(descriptor.rule().limits(), descriptor.key(), descriptor.permits());
        return RateLimiter.reserveAllAsync(Duration.ZERO, request).thenAccept(reservation -> {
            descriptor.decided(reservation.decision(), 0);
            took(reservation);
        });
    }

    private CompletableFuture<?> peek(Descriptor descriptor) {
        Request request = limiters.descriptor(descriptor.rule().limits(), descriptor.key(), descriptor.permits());
        return limiters.envoy().peekAsync(request).thenAccept(decision -> {
            descriptor.peeked(decision);
            noteDegraded(decision);
        });
    }

    /** Several answers may arrive at once, on several I/O threads of a cluster. */
    private synchronized void took(Reservation reservation) {
        noteDegraded(reservation.decision());
        if (reservation.decision().allowed()) {
            reserved.add(reservation);
        }
    }

    private synchronized void noteDegraded(Decision decision) {
        degraded |= decision.degraded();
    }

    private CompletableFuture<DescriptorDecision> all(List<? extends CompletableFuture<?>> asked) {
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> this);
    }
}
