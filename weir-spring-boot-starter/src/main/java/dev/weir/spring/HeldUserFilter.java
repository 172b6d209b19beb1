package dev.weir.spring;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;

/**
 * Keeps the user of a request that is held by another filter. When the request continues, Spring Security, which comes before that
 * filter, does not authenticate again in the way of most filters; it finds the user where this filter has saved it. Loaded only if
 * Spring Security is there. Thread-safe.
 */
final class HeldUserFilter implements Filter {
    private final Filter holding;
    private final SecurityContextRepository users = new RequestAttributeSecurityContextRepository();

    HeldUserFilter(Filter holding) {
        this.holding = holding;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        AtomicBoolean proceeded = new AtomicBoolean();
        holding.doFilter(request, response, (passed, answer) -> {
            proceeded.set(true);
            chain.doFilter(passed, answer);
        });
        if (!proceeded.get()
                && request.isAsyncStarted()
                && request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse answer) {
            SecurityContext user = SecurityContextHolder.getContext();
            // Before Spring Security nobody is known; to save that would hide the user of a session.
            if (user.getAuthentication() != null) {
                users.saveContext(user, http, answer); // the dispatch waits for the end of this one
            }
        }
    }
}
