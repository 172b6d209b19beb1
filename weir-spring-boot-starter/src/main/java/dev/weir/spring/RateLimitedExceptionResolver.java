package dev.weir.spring;

import dev.weir.RateLimitedException;
import dev.weir.http.HeaderForm;
import dev.weir.http.RateLimitResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/** Answers a {@link RateLimitedException} of a controller, unless the application has an exception handler for it. Thread-safe. */
final class RateLimitedExceptionResolver implements HandlerExceptionResolver, Ordered {
    private static final System.Logger LOG = System.getLogger(RateLimitedExceptionResolver.class.getName());

    private final Set<HeaderForm> headers;
    private final boolean errorPages;

    RateLimitedExceptionResolver(Set<HeaderForm> headers, boolean errorPages) {
        this.headers = headers;
        this.errorPages = errorPages;
    }

    /** Returns an order after that of exception handlers. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        RateLimitedException denial = DenialResponse.denial(failure);
        if (denial == null || response.isCommitted()) {
            return null;
        }
        DenialResponse answer = DenialResponse.of(denial, headers);
        answer.headers().forEach(response::setHeader);
        try {
            if (errorPages) {
                response.sendError(answer.status());
            } else {
                write(answer, response);
            }
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "the client does not read the answer to its request", gone);
        }
        return new ModelAndView(); // it is answered
    }

    /** Writes to the writer if the controller has asked for it. The problem is ASCII, the same in the encoding of any writer. */
    private static void write(DenialResponse answer, HttpServletResponse response) throws IOException {
        String problem = answer.problem();
        response.resetBuffer();
        response.setStatus(answer.status());
        response.setContentType(RateLimitResponse.PROBLEM_TYPE);
        response.setContentLength(problem.length());
        try {
            response.getOutputStream().write(problem.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalStateException writerInUse) {
            response.getWriter().write(problem);
        }
    }
}
