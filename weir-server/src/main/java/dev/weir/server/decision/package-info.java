/** How requests are decided: their rules, their limiters, and what is recorded of the decisions. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.decision;
