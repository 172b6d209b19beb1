package dev.weir.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives the application of a test class a {@link dev.weir.testkit.ManualTimeSource}, which the test moves forward: a limit per day is
 * tested in milliseconds. All limiters use it, with their state in memory, also if the configuration names a Redis.
 *
 * <p>It is for {@code @SpringBootTest}, and for tests of a slice such as {@code @WebMvcTest}, where it also applies the limits of the
 * configuration. Tests that share an application share the state of its limiters: move the time past the longest limit before each
 * of them, or give each its own keys.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureManualTime {}
