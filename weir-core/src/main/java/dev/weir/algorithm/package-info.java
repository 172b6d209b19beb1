/** The six algorithms: pure steps over one key's state, without clock or I/O. */
@NullMarked
package dev.weir.algorithm;

import org.jspecify.annotations.NullMarked;
