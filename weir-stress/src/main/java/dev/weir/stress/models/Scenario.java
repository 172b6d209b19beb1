package dev.weir.stress.models;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Operations of a model that two threads are to interleave in all ways, such as {@code "advance 3; tryAcquire 1"}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(Scenario.All.class)
public @interface Scenario {
    /** What comes before. */
    String before() default "";

    /** What one thread does. */
    String one();

    /** What the other does meanwhile. */
    String two();

    /** What shows how it ended. */
    String after();

    /** All of a model. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface All {
        /** In any order. */
        Scenario[] value();
    }
}
