/** The command {@code weir}: reads what was asked for, lets the other modules do it, and shows what came of it. */
@NullMarked
package dev.weir.cli;

import org.jspecify.annotations.NullMarked;
