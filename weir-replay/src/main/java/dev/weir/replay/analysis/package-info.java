/** What a report shows, computed from a trace and the decisions on it. Not exported. */
@NullMarked
package dev.weir.replay.analysis;

import org.jspecify.annotations.NullMarked;
