package dev.weir.server.decision;

import dev.weir.internal.OccasionalLog;
import dev.weir.internal.Spelling;
import dev.weir.server.config.Configuration;
import dev.weir.server.config.Configuration.Match;
import dev.weir.server.config.KeyText;
import dev.weir.server.config.LiveConfiguration;
import dev.weir.server.config.Rule;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor.Entry;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the rules of the descriptors of a request. Thread-safe. */
public final class DescriptorMatcher {
    private static final int MAX_DESCRIPTORS = 64; // as many as one atomic step decides
    private static final String OVERRIDE = "override";

    private final LiveConfiguration configuration;
    private final Overrides overrides;
    private final ServerMetrics metrics;
    private final OccasionalLog log = new OccasionalLog("dev.weir.server");

    public DescriptorMatcher(LiveConfiguration configuration, Overrides overrides, ServerMetrics metrics) {
        this.configuration = configuration;
        this.overrides = overrides;
        this.metrics = metrics;
    }

    /**
     * Returns the descriptors of a request in their order, null where no rule applies: where none matches, and where another
     * descriptor's rule replaces it.
     *
     * @throws InvalidRequestException if the request is not valid
     */
    List<@Nullable Descriptor> match(RateLimitRequest request) {
        check(request);
        Configuration inForce = configuration.current();
        List<@Nullable Descriptor> matched = new ArrayList<>(request.getDescriptorsCount());
        boolean replaces = false;
        for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
            Descriptor found = match(inForce, request, descriptor);
            matched.add(found);
            replaces |= found != null && !found.rule().replaces().isEmpty();
        }
        if (replaces) {
            removeReplaced(matched);
        }
        return matched;
    }

    private static void check(RateLimitRequest request) {
        if (request.getDomain().isEmpty()) {
            throw new InvalidRequestException("rate limit domain must not be empty");
        } else if (request.getDescriptorsCount() == 0) {
            throw new InvalidRequestException("rate limit descriptor list must not be empty");
        } else if (request.getDescriptorsCount() > MAX_DESCRIPTORS) {
            throw new InvalidRequestException("rate limit descriptors must be at most " + MAX_DESCRIPTORS + ", were "
                    + request.getDescriptorsCount());
        }
    }

    private @Nullable Descriptor match(
            Configuration inForce, RateLimitRequest request, RateLimitDescriptor descriptor) {
        String domain = request.getDomain();
        boolean isKnown = inForce.domains().containsKey(domain);
        if (descriptor.hasLimit() && isKnown) {
            Rule rule = overrides.rule(descriptor.getLimit());
            return new Descriptor(rule, overrideKey(domain, descriptor.getEntriesList()), hits(request, descriptor));
        }
        Match match = inForce.match(domain, descriptor.getEntriesList());
        if (match == null) {
            metrics.unmatched(isKnown);
            if (!isKnown) {
                log.warn(
                        "there are no rules for the domain '" + Spelling.shown(domain)
                                + "', whose requests are allowed",
                        null);
            }
            return null;
        }
        return new Descriptor(match.rule(), match.key(), hits(request, descriptor));
    }

    /** The state of a descriptor with a limit of its own is apart from that under the configuration's limit. */
    private static String overrideKey(String domain, List<Entry> entries) {
        KeyText key = new KeyText(OVERRIDE, domain);
        for (Entry entry : entries) {
            key.add(entry.getKey(), entry.getValue());
        }
        return key.key();
    }

    private static long hits(RateLimitRequest request, RateLimitDescriptor descriptor) {
        if (descriptor.hasHitsAddend()) {
            long hits = descriptor.getHitsAddend().getValue();
            return hits < 0 ? Descriptor.MAX_HITS : Math.min(hits, Descriptor.MAX_HITS); // negative: above 2^63
        }
        return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
    }

    /** An unlimited rule is not replaced. */
    private static void removeReplaced(List<@Nullable Descriptor> matched) {
        Set<String> replaced = new HashSet<>();
        for (Descriptor descriptor : matched) {
            if (descriptor != null) {
                replaced.addAll(descriptor.rule().replaces());
            }
        }
        matched.replaceAll(descriptor -> descriptor != null
                        && !descriptor.rule().isUnlimited()
                        && replaced.contains(descriptor.rule().name())
                ? null
                : descriptor);
    }
}
