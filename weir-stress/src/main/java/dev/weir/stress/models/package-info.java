/** Interleavings, tried by Lincheck. */
@NullMarked
package dev.weir.stress.models;

import org.jspecify.annotations.NullMarked;
