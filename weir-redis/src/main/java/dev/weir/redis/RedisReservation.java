package dev.weir.redis;

import dev.weir.Decision;
import dev.weir.Request;
import dev.weir.store.StoreReservation;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A reservation on the server, which the script's answer identifies there. */
final class RedisReservation implements StoreReservation {
    private final Refunds refunds;
    private final List<Request> requests;
    private final Answer answer;
    private final AtomicBoolean used = new AtomicBoolean();

    /** Refunds permits on the server. */
    @FunctionalInterface
    interface Refunds {
        /** Refunds the permits of each request, without waiting; {@code first} unless the handle was used before. */
        void refund(List<Request> requests, List<Long> permits, byte[] handle, boolean first);
    }

    RedisReservation(Refunds refunds, List<Request> requests, Answer answer) {
        this.refunds = refunds;
        this.requests = requests;
        this.answer = answer;
    }

    @Override
    public Decision decision() {
        return answer.decision();
    }

    @Override
    public void refund(long permits) {
        refund(requests.stream().map(request -> permits).toList());
    }

    @Override
    public void cancel(long refunded) {
        refund(requests.stream().map(request -> request.permits() - refunded).toList());
    }

    /** Sends nothing if all is refunded, or without a handle: the requests were denied, or have no limit that counts. */
    private void refund(List<Long> permits) {
        if (answer.handle().length > 0 && permits.stream().anyMatch(each -> each > 0)) {
            refunds.refund(requests, permits, answer.handle(), used.compareAndSet(false, true));
        }
    }
}
