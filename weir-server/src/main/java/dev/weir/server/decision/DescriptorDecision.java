package dev.weir.server.decision;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.Reservation;
import dev.weir.server.config.Rule.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The decision on one request of Envoy. First, its live rules allow it together or take nothing. Then each rule in quota mode is
 * evaluated; if none of them allows the request, what the live rules granted is refunded, and they are peeked at. Last, each rule
 * in shadow mode is evaluated, which changes nothing. The rules that remain after a denial are peeked at, so that every descriptor has
 * a status.
 *
 * <p>Used by one thread at a time; no step blocks.
 */
public final class DescriptorDecision {
    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null); // to be done

    private final Limiters limiters;
    private final List<Descriptor> descriptors;
    private final boolean separately;
    private final List<Reservation> reserved = new ArrayList<>(1);
    private boolean denied;
    private boolean degraded;

    /**
     * Creates a decision.
     *
     * @param descriptors those that a rule limits
     * @param separately whether each rule is evaluated by itself, as envoyproxy/ratelimit does: a denial by one does not keep others
     *     from counting
     */
    public DescriptorDecision(Limiters limiters, List<Descriptor> descriptors, boolean separately) {
        this.limiters = limiters;
        this.descriptors = descriptors;
        this.separately = separately;
    }

    List<Descriptor> descriptors() {
        return descriptors;
    }

    /** Returns whether the request is denied. */
    boolean denied() {
        return denied;
    }

    /** Returns whether the request was denied, so that the rules which allowed it granted nothing. */
    boolean grantedNothing() {
        return denied && !separately;
    }

    /** Returns whether a descriptor counts for its rule: it was decided on, and not just allowed in a request that got nothing. */
    boolean counts(Descriptor descriptor) {
        return descriptor.counted() && (descriptor.over() || !grantedNothing());
    }

    /** Returns whether the store did not decide. */
    public boolean degraded() {
        return degraded;
    }

    /** Refunds what was granted. */
    public void cancel() {
        reserved.forEach(Reservation::cancel);
    }

    /** Evaluates all rules; the future completes when every descriptor has a status. */
    CompletableFuture<DescriptorDecision> decide() {
        if (separately) {
            return evaluate(descriptors).thenApply(done -> {
                denied = isOver(Mode.LIVE) || isQuotaOver();
                return this;
            });
        } else if (!isOneStep()) {
            return inSteps().thenApply(done -> this);
        } else if (descriptors.size() == 1 && limiters.decideAtOnce()) {
            decideNow(descriptors.get(0));
            return CompletableFuture.completedFuture(this);
        }
        return together(descriptors).thenApply(done -> this);
    }

    private CompletableFuture<Void> inSteps() {
        return look(of(Mode.LIVE, Descriptor::looks))
                .thenCompose(looked -> denied ? NOTHING : together(of(Mode.LIVE, descriptor -> !descriptor.looks())))
                .thenCompose(live -> denied ? NOTHING : quota())
                .thenCompose(quota -> denied ? look(withoutStatus()) : evaluate(of(Mode.SHADOW, shadow -> true)));
    }

    /** Decides without a reservation: nothing comes later that could refund it. */
    private void decideNow(Descriptor only) {
        Decision decision = RateLimiter.tryAcquireAll(limiters.request(only));
        only.decided(decision, 0);
        denied = !decision.allowed();
        degraded = decision.degraded();
    }

    /** Returns whether all rules are live and count, as in nearly all requests. */
    private boolean isOneStep() {
        for (Descriptor descriptor : descriptors) {
            if (!descriptor.is(Mode.LIVE) || descriptor.looks()) {
                return false;
            }
        }
        return true;
    }

    private List<Descriptor> of(Mode mode, Predicate<Descriptor> condition) {
        return descriptors.stream()
                .filter(descriptor -> descriptor.is(mode) && condition.test(descriptor))
                .toList();
    }

    private List<Descriptor> withoutStatus() {
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

    private CompletableFuture<Void> look(List<Descriptor> looked) {
        return each(looked, descriptor -> peek(descriptor, descriptor::peeked))
                .thenRun(() -> denied |= isOver(Mode.LIVE));
    }

    /** Has live rules allow the request together. */
    private CompletableFuture<Void> together(List<Descriptor> live) {
        if (live.isEmpty()) {
            return NOTHING;
        }
        JointRequests joint = new JointRequests(limiters, live);
        return RateLimiter.reserveAllAsync(Duration.ZERO, joint.requests()).thenAccept(reservation -> {
            Decision decision = reservation.decision();
            for (int i = 0; i < live.size(); i++) {
                live.get(i).decided(decision, joint.position(i));
            }
            denied = !decision.allowed();
            took(reservation);
        });
    }

    private CompletableFuture<Void> quota() {
        return evaluate(of(Mode.QUOTA, descriptor -> true)).thenCompose(done -> {
            if (!isQuotaOver()) {
                return NOTHING;
            }
            denied = true;
            cancel();
            return each( // whose statuses are from before the refund
                    of(Mode.LIVE, descriptor -> !descriptor.looks()), live -> peek(live, live::refunded));
        });
    }

    /** Evaluates each rule by itself. */
    private CompletableFuture<Void> evaluate(List<Descriptor> evaluated) {
        return each(
                evaluated,
                descriptor -> descriptor.looks() ? peek(descriptor, descriptor::peeked) : reserve(descriptor));
    }

    private static CompletableFuture<Void> each(
            List<Descriptor> descriptors, Function<Descriptor, CompletableFuture<Void>> step) {
        return CompletableFuture.allOf(descriptors.stream().map(step).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> reserve(Descriptor descriptor) {
        return RateLimiter.reserveAllAsync(Duration.ZERO, limiters.request(descriptor))
                .thenAccept(reservation -> {
                    descriptor.decided(reservation.decision(), 0);
                    took(reservation);
                });
    }

    private CompletableFuture<Void> peek(Descriptor descriptor, Consumer<Decision> answer) {
        return limiters.envoy().peekAsync(limiters.request(descriptor)).thenAccept(decision -> {
            answer.accept(decision);
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
}
