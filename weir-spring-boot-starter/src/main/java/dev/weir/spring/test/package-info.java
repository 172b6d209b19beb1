/** Support for tests of applications with limits. It needs {@code weir-testkit}, in the scope {@code test}. */
@org.jspecify.annotations.NullMarked
package dev.weir.spring.test;
