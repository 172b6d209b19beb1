/** The terminal that the command runs in, and how text is drawn on it. Independent of limits. */
@NullMarked
package dev.weir.cli.terminal;

import org.jspecify.annotations.NullMarked;
