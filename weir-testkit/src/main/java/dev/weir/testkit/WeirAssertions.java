package dev.weir.testkit;

import dev.weir.Decision;

/** Entry point of the AssertJ assertions. Needs AssertJ on the class path. */
public final class WeirAssertions {
    private WeirAssertions() {}

    /**
     * Starts assertions on a decision.
     *
     * @param actual the decision
     * @return the assertions
     */
    public static DecisionAssert assertThat(Decision actual) {
        return new DecisionAssert(actual);
    }
}
