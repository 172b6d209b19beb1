package dev.weir.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the calls of a method of a bean. A call that the limiter denies throws {@link dev.weir.RateLimitedException}, and the
 * method is not called; Spring MVC and WebFlux answer it with status 429. Several of these annotations on a method are decided
 * together: all allow the call, or it consumes nothing from any of them, unless a limit counts attempts.
 *
 * <p>On a class or an interface, it limits each method that this, a subclass or an implementation declares, but for private and
 * static methods, those of {@link Object}, those of a controller that handle exceptions, bind data or add to the model, and those that
 * have such an annotation themselves. It may also be the meta-annotation of an annotation of the application.
 *
 * <pre>{@code
 * @RateLimited(value = "login", key = "#request.username", maxWait = "2s")
 * public Session login(LoginRequest request) { ... }
 * }</pre>
 *
 * <p>A method that returns a {@code CompletionStage} never blocks the caller: the method is called when the permits are granted.
 * Cancelling the returned future before that releases them; later, it cancels that of the method. For a {@code Mono}, a {@code Flux}
 * and other reactive types, each subscription is a call: it is decided when it is made, and cancelling it releases the permits that
 * it waits for. Any other method blocks its caller for at most {@link #maxWait}; if the thread is interrupted meanwhile, the permits
 * are released and {@link java.util.concurrent.CancellationException} is thrown.
 *
 * <p>A limiter with {@code shadow} only decides and counts here, too.
 *
 * <p>The limiter is outside of other advice: a call that waits holds no transaction, and a result from a cache is counted, too.
 * As with other annotations of Spring, a call from within the same bean is not limited. Everything that can be checked is checked
 * when the bean is created: that the limiter exists, that the key can be parsed, and that Spring can intercept the method.
 * Placeholders such as <code>${orders.wait}</code> are not resolved.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(RateLimited.All.class)
@Documented
public @interface RateLimited {
    /** {@return the name of the limiter, one of {@link RateLimiters#names}} */
    String value();

    /**
     * {@return the key, as an expression in the Spring Expression Language} The parameters of the method are variables by name
     * ({@code #request}; compile with {@code -parameters}) and position ({@code #p0}), the root object is the bean, and other beans
     * are {@code @name}. Its result is converted to text; if it is null, empty or longer than 1,024 bytes, the call fails with {@link
     * IllegalArgumentException}. By default all calls share one key.
     */
    String key() default "";

    /** {@return the number of permits of a call, at least 1} */
    long permits() default 1;

    /**
     * {@return how long a call may wait for its permits, such as {@code 500ms} or {@code 2s}} If it would have to wait longer, it is
     * denied at once. Of several annotations on a method, the shortest counts; one that states no {@code maxWait} does not take
     * part, nor does one whose limiter is a shadow. If none states one, the call does not wait.
     */
    String maxWait() default "";

    /** The container of several {@link RateLimited} annotations. The compiler adds it. */
    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Documented
    @interface All {
        /** {@return the annotations} */
        RateLimited[] value();
    }
}
