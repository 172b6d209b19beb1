package dev.weir.spring.aop;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports invalid annotations without a stack trace. */
final class InvalidRateLimitedFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitedException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct the annotations. Limiters are configured with weir.limits.<name>.",
                cause);
    }
}
