/** Decisions as HTTP headers and problem details, the address of a client behind proxies, and a servlet filter. */
@org.jspecify.annotations.NullMarked
package dev.weir.http;
