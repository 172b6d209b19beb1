package dev.weir.spring.aop;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Limits calls, each in the way of its method's return type. Thread-safe. */
final class RateLimitInterceptor implements MethodInterceptor {
    private final LimitedMethods methods;

    RateLimitInterceptor(LimitedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object bean = invocation.getThis();
        Method method = LimitedMethods.called(invocation.getMethod(), bean == null ? null : bean.getClass());
        Call call = new Call(methods.get(method), (ProxyMethodInvocation) invocation);
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            return call.proceedAsync();
        }
        Object publisher = LimitedMethods.REACTOR ? ReactiveCall.of(call, method.getReturnType()) : null;
        return publisher != null ? publisher : call.proceed();
    }
}
