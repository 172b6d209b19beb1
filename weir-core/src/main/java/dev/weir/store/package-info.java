/** Where the state of each key lives, and who may touch it. */
@NullMarked
package dev.weir.store;

import org.jspecify.annotations.NullMarked;
