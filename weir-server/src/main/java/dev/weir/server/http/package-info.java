/** Decisions over HTTP, the API for operators, and the files of the dashboard. */
@org.jspecify.annotations.NullMarked
package dev.weir.server.http;
