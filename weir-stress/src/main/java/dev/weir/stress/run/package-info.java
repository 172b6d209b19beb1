/** How races and models are run. */
@NullMarked
package dev.weir.stress.run;

import org.jspecify.annotations.NullMarked;
