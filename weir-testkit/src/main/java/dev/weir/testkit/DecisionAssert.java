package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a {@link Decision}; see {@link WeirAssertions}. Each returns this object. */
@SuppressWarnings("exports") // AssertJ is optional: a project that uses these assertions requires it itself
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {
    DecisionAssert(Decision actual) {
        super(actual, DecisionAssert.class);
    }

    /** {@return this, after asserting that the request is allowed, at once or after a wait} */
    public DecisionAssert isAllowed() {
        return check(checked().allowed(), "to be allowed");
    }

    /** {@return this, after asserting that the request is denied} */
    public DecisionAssert isDenied() {
        return check(!checked().allowed(), "to be denied");
    }

    /** {@return this, after asserting that the request can never be allowed} */
    public DecisionAssert isNever() {
        return check(checked().never(), "never to be allowed");
    }

    /** {@return this, after asserting that the request is denied because its key is blocked} */
    public DecisionAssert isBlocked() {
        return check(checked().blocked(), "to be blocked");
    }

    /** {@return this, after asserting that the decision was made without the key's state} */
    public DecisionAssert isDegraded() {
        return check(checked().degraded(), "to be degraded");
    }

    /** {@return this, after asserting that the decision was made with the key's state} */
    public DecisionAssert isNotDegraded() {
        return check(!checked().degraded(), "not to be degraded");
    }

    /**
     * Asserts the number of permits that remain.
     *
     * @param remaining the number expected
     * @return this
     */
    public DecisionAssert hasRemaining(long remaining) {
        return check(checked().remaining() == remaining, "to have remaining " + remaining);
    }

    /**
     * Asserts the retry-after.
     *
     * @param retryAfter the duration expected
     * @return this
     */
    public DecisionAssert hasRetryAfter(Duration retryAfter) {
        return check(checked().retryAfter().equals(retryAfter), "to have retry-after " + retryAfter);
    }

    /**
     * Asserts the wait of an allowed request.
     *
     * @param waitTime the duration expected
     * @return this
     */
    public DecisionAssert hasWaitTime(Duration waitTime) {
        return check(checked().waitTime().equals(waitTime), "to have wait time " + waitTime);
    }

    /**
     * Asserts the reset-after.
     *
     * @param resetAfter the duration expected
     * @return this
     */
    public DecisionAssert hasResetAfter(Duration resetAfter) {
        return check(checked().resetAfter().equals(resetAfter), "to have reset-after " + resetAfter);
    }

    /**
     * Asserts the most restrictive limit.
     *
     * @param limit the text of the limit expected, in any form that {@link Limit#parse} reads
     * @return this
     */
    public DecisionAssert isLimitedBy(String limit) {
        String canonical = Limit.parse(limit).toString();
        return check(Objects.equals(checked().limit().toString(), canonical), "to be limited by " + canonical);
    }

    private Decision checked() {
        isNotNull();
        return actual;
    }

    private DecisionAssert check(boolean holds, String expectation) {
        if (!holds) {
            failWithMessage("Expected decision <%s> %s", actual, expectation);
        }
        return this;
    }
}
