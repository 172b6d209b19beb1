/** Limits for Spring Boot applications, from configuration or annotations. */
@org.jspecify.annotations.NullMarked
package dev.weir.spring;
