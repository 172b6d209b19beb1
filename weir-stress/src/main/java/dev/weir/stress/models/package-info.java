/** Interleavings, as Lincheck tries them. */
@NullMarked
package dev.weir.stress.models;

import org.jspecify.annotations.NullMarked;
