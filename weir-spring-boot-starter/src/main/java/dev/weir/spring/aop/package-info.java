/** Limits the methods of beans that are annotated with {@link dev.weir.spring.RateLimited}. */
@org.jspecify.annotations.NullMarked
package dev.weir.spring.aop;
