/** Limits the calls of Spring's HTTP clients. */
@org.jspecify.annotations.NullMarked
package dev.weir.spring.client;
