package dev.weir.redis;

import dev.weir.Request;

/** A key of a limiter. */
record KeyId(String limiter, String key) {

    /** Returns the key of a request. */
    static KeyId of(Request request) {
        return new KeyId(request.limiter(), request.key());
    }
}
