/** A web service with limits for each user and for a path: {@code application.yml} has the limits. */
@org.jspecify.annotations.NullMarked
package dev.weir.examples.spring;
