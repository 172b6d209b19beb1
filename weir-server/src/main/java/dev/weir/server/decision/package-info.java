/** How requests are decided: which rules are for them, what their limiters say, and who is told. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.decision;
