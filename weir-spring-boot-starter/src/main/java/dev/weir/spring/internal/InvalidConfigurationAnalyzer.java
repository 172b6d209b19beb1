package dev.weir.spring.internal;

import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports all problems of the configuration when an application fails to start, without a stack trace. */
public final class InvalidConfigurationAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        String lines = cause.problems().stream()
                .map(problem -> "    " + problem)
                .collect(Collectors.joining(System.lineSeparator()));
        return new FailureAnalysis(
                "The configuration of Weir is not valid:" + System.lineSeparator() + System.lineSeparator() + lines,
                "Correct the properties or annotations named above.",
                cause);
    }
}
