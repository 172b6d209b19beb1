package dev.weir.benchmarks.memory;

import dev.weir.benchmarks.memory.Measure.Sample;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.FailedMeasureException;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/**
 * A JVM of its own in which JMH measures one thing.
 *
 * @param log receives what JMH prints
 */
record Fork(Effort effort, PrintStream log) {
    private static final String HEAP = "1g";
    private static final String HEAP_OF_MANY_KEYS = "2g";
    private static final String SMOKE_HEAP = "256m";
    private static final String SCENARIOS = OneKey.class.getPackageName() + ".";

    /**
     * Measures.
     *
     * @throws FailedMeasureException if JMH cannot, or if what happened is not what the scenario says
     */
    Sample run(Measure measure) {
        OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
        Runner runner = new Runner(options(measure).build(), format);
        RunResult result = FailedMeasureException.result(measure.toString(), runner::runSingle);
        Map<String, ?> secondary = result.getSecondaryResults();
        Result<?> timed = secondary.get(CallTimes.RESULT) instanceof Result<?> all ? all : result.getPrimaryResult();
        Statistics calls = timed.getStatistics();
        Sample sample = new Sample(
                result.getPrimaryResult().getScore(),
                score(secondary.get("gc.alloc.rate.norm")),
                (long) score(secondary.get("allowed")),
                (long) score(secondary.get("denied")),
                calls.getPercentile(99.9),
                calls.getPercentile(99.99),
                calls.getMax());
        return checked(measure, sample);
    }

    static Sample checked(Measure measure, Sample sample) {
        if (!measure.scenario().expectation.holds(sample.allowed(), sample.denied())) {
            throw new FailedMeasureException(measure + ": " + sample.allowed() + " were allowed and " + sample.denied()
                    + " denied, not as the scenario says");
        }
        return sample;
    }

    private ChainedOptionsBuilder options(Measure measure) {
        Scenario scenario = measure.scenario();
        String usual = scenario.keys() > 0 ? HEAP_OF_MANY_KEYS : HEAP;
        String heap = effort == Effort.SMOKE ? SMOKE_HEAP : usual;
        TimeValue iteration = new TimeValue(iterationMillis(effort), TimeUnit.MILLISECONDS);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(SCENARIOS + scenario.method) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .threads(measure.threads())
                .warmupIterations(warmups(effort, measure))
                .warmupTime(iteration)
                .measurementIterations(iterations(effort))
                .measurementTime(iteration)
                .jvmArgs(
                        measure.collector().option(),
                        effort.compiler(),
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "-XX:+AlwaysPreTouch")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        if (measure.contestant() != null) { // a benchmark without this parameter ignores it
            options.param("limiter", measure.contestant().name());
        }
        if (scenario.isTail()) {
            options.addProfiler(CallTimes.class);
        }
        scenario.params.forEach((name, value) -> options.param(name, value));
        return options;
    }

    /**
     * Returns the number of iterations before the measurement. Together they take longer than the window of the limits, a second:
     * when the first permits expire, the compiler starts again. With several threads they take longer still, because those take the
     * cores that the compiler needs.
     */
    static int warmups(Effort effort, Measure measure) {
        int usual = measure.threads() > 1 ? effort.of(1, 16, 12) : effort.of(1, 6, 5);
        return measure.scenario() == Scenario.AT_LIMIT ? 2 * usual : usual;
    }

    static int iterations(Effort effort) {
        return effort.of(1, 3, 4);
    }

    static long iterationMillis(Effort effort) {
        return effort.of(100, 300, 400);
    }

    private static double score(@Nullable Object result) {
        return result instanceof Result<?> found ? found.getScore() : 0;
    }
}
