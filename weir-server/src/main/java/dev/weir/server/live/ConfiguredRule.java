package dev.weir.server.live;

import dev.weir.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the configuration in force.
 *
 * @param id the rule
 * @param candidate limits to compare it with, or null
 */
public record ConfiguredRule(RuleId id, @Nullable Limits candidate) {}
