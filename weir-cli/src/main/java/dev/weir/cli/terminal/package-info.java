/** What the command sees of the terminal it runs in, and how text is drawn there. Knows nothing of limits. */
@NullMarked
package dev.weir.cli.terminal;

import org.jspecify.annotations.NullMarked;
