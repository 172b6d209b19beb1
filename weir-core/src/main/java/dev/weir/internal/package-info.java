/** Code that Weir's modules share. Not exported to users. */
@NullMarked
package dev.weir.internal;

import org.jspecify.annotations.NullMarked;
