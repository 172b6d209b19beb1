/** A store on Redis: exact for any number of processes, one round trip per decision. */
@NullMarked
package dev.weir.redis;

import org.jspecify.annotations.NullMarked;
