package dev.weir.spring;

import java.lang.System.Logger.Level;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.StringUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Warns of rules whose paths were probably written for another base: the context path is no part of them, that of the
 * DispatcherServlet is. Such a rule can be right, as there may be a path {@code /shop} within the context {@code /shop}.
 */
final class BasePaths {
    private static final System.Logger LOG = System.getLogger("dev.weir.spring");

    private BasePaths() {}

    /**
     * Checks the paths of all rules.
     *
     * @param contextPath empty or {@code /} if there is none
     * @param servletPath that of the DispatcherServlet within the context path; empty or {@code /} if there is none
     */
    static void check(Rules rules, String contextPath, String servletPath) {
        String context = StringUtils.trimTrailingCharacter(contextPath, '/');
        String servlet = StringUtils.trimTrailingCharacter(servletPath, '/');
        for (Rules.Rule rule : rules.list()) {
            for (PathPattern pattern : rule.settings().paths()) {
                String path = pattern.getPatternString();
                if (!context.isEmpty() && (path + "/").startsWith(context + "/")) {
                    warn(rule, path, "repeats the context path, so it limits only " + context + path);
                } else if (!servlet.isEmpty() && !new AntPathMatcher().matchStart(path, servlet)) {
                    warn(rule, path, "limits no request of Spring MVC, whose paths begin with " + servlet);
                }
            }
        }
    }

    private static void warn(Rules.Rule rule, String path, String problem) {
        LOG.log(Level.WARNING, "weir.limits." + rule.settings().limiter() + ".path: '" + path + "' " + problem);
    }
}
