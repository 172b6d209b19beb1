package dev.weir.stress.races;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Runs the race that a system property names, in all modes of jcstress. */
@JCStressTest
@State
@Outcome(id = "allowed, .*", expect = Expect.ACCEPTABLE, desc = "as the race says")
@Outcome(expect = Expect.FORBIDDEN, desc = "not as the race says")
public class JcstressRace {
    private static final Race RACE = Races.named(System.getProperty(Race.PROPERTY, "LastPermit"));

    private final Stage stage = RACE.stage();

    /** The first thread. */
    @Actor
    public void one(LLL_Result r) {
        r.r1 = RACE.one.apply(stage);
    }

    /** The second thread. */
    @Actor
    public void two(LLL_Result r) {
        r.r2 = RACE.two.apply(stage);
    }

    /** After both: the results of the threads become one. */
    @Arbiter
    public void after(LLL_Result r) {
        String result = RACE.result(r.r1, r.r2, stage);
        r.r1 = RACE.allows(result) ? "allowed" : "forbidden";
        r.r2 = RACE.name();
        r.r3 = result;
    }
}
