/** Tools to test limiters and the code that uses them, without real waits. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
