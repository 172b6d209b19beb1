/**
 * Decisions as HTTP headers and problem details, the address of a client behind proxies, a servlet filter, and limits of outgoing
 * requests.
 */
@org.jspecify.annotations.NullMarked
package dev.weir.http;
