package dev.weir.algorithm;

/** The means to refund a reservation, in whole or in part. Called under the same guard as the state that it changes. */
@FunctionalInterface
public interface Refund {
    Refund NONE = permits -> {};

    /** Refunds some of the reserved permits. Permits that have expired or were forgotten stay as they are. */
    void refund(long permits);
}
