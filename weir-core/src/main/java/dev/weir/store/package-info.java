/** Stores, which hold the state of keys: the store in memory, and the interface for others. */
@NullMarked
package dev.weir.store;

import org.jspecify.annotations.NullMarked;
