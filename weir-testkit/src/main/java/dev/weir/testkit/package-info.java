/** Tools to test limiters, and what uses them, without waiting and without trust. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
