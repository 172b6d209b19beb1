/** What was measured, as tables and as JSON. */
@NullMarked
package dev.weir.benchmarks.report;

import org.jspecify.annotations.NullMarked;
