/** Limits the calls of OkHttp. */
@org.jspecify.annotations.NullMarked
package dev.weir.http.okhttp;
