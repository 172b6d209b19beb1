package dev.weir.spring.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.RateLimitedException;
import dev.weir.spring.RateLimiters;
import dev.weir.spring.aop.Services.Async;
import dev.weir.spring.aop.Services.Login;
import dev.weir.spring.aop.Services.Logins;
import dev.weir.spring.aop.Services.Remote;
import dev.weir.testing.Await;
import dev.weir.testkit.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** Methods of beans with {@code @RateLimited}: how each return type is limited, and what a denial and a cancelled wait leave. */
class RateLimitedTest {
    private final ManualTimeSource time = new ManualTimeSource();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Logins logins;
    private Async async;
    private RateLimiters limiters;

    @BeforeEach
    void start() {
        Contexts.register(context, time, "login=2/1m", "user=1/1m", "tenant=2/1m", "account=2/1m", "shadow=1/1m");
        Contexts.adviseLogins(context);
        context.registerBean(Logins.class);
        context.registerBean(Async.class);
        context.registerBean("normalizer", Services.Normalizer.class);
        context.registerBean(Remote.class, () -> Contexts.remote(name -> "welcome " + name));
        context.refresh();
        logins = context.getBean(Logins.class);
        async = context.getBean(Async.class);
        limiters = context.getBean(RateLimiters.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private long remaining(String limiter, String key) {
        return limiters.get(limiter).peek(key).remaining();
    }

    @Test
    void plainMethod_overTheLimit_throwsAndIsNotCalled() {
        Login ada = new Login("ada");
        assertThat(logins.login(ada)).isEqualTo("welcome ada");
        logins.login(ada);

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> logins.login(ada))
                .satisfies(denied -> {
                    assertThat(denied.limiter()).isEqualTo("login");
                    assertThat(denied.decision().retryAfter()).isEqualTo(Duration.ofMinutes(1));
                });
        assertThat(logins.calls()).isEqualTo(2);
        assertThat(logins.login(new Login("bob"))).isEqualTo("welcome bob");
    }

    @Test
    void plainMethod_withMaxWait_waitsUntilDue() throws Exception {
        Login ada = new Login("ada");
        logins.login(ada);
        logins.login(ada);
        FutureTask<String> waiting = new FutureTask<>(() -> logins.wait(ada));
        new Thread(waiting).start();
        untilWaiting(1);

        time.advance(Duration.ofMinutes(1));

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("welcome ada");
    }

    @Test
    void plainMethod_interruptedWhileItWaits_releasesItsPermits() throws Exception {
        Login ada = new Login("ada");
        logins.login(ada);
        time.advance(Duration.ofSeconds(30));
        logins.login(ada);
        FutureTask<String> waiting = new FutureTask<>(() -> logins.wait(ada));
        Thread thread = new Thread(waiting);
        thread.start();
        untilWaiting(1);

        thread.interrupt();

        assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(CancellationException.class);
        time.advance(Duration.ofSeconds(30));
        assertThat(remaining("login", "ada")).isEqualTo(1);
    }

    @Test
    void permits_areAllRequested() {
        logins.weigh("ada");

        assertThat(remaining("login", "ada")).isZero();
    }

    @Test
    void withoutAKey_allCallsShareOne() {
        logins.shareOneKey();
        logins.shareOneKey();

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(logins::shareOneKey);
    }

    @Test
    void severalAnnotations_oneDenies_consumeNothing() {
        logins.limitTwice("ada", "acme");

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> logins.limitTwice("ada", "acme"))
                .satisfies(denied -> {
                    assertThat(denied.limiter()).isEqualTo("user");
                    assertThat(denied.decision().statuses()).hasSize(2);
                });
        assertThat(remaining("tenant", "acme")).isEqualTo(1);

        logins.limitTwice("bob", "acme");
        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> logins.limitTwice("eve", "acme"))
                .satisfies(denied -> assertThat(denied.limiter()).isEqualTo("tenant"));
        assertThat(remaining("user", "eve")).isEqualTo(1);
    }

    @Test
    void severalAnnotations_oneStatesMaxWait_waitsUntilDue() throws Exception {
        limiters.get("login").tryAcquire("ada", 2);
        FutureTask<Void> waiting = new FutureTask<>(() -> logins.waitForOne("ada", "acme"), null);
        new Thread(waiting).start();
        untilWaiting(1);
        assertThat(logins.calls()).isZero();

        time.advance(Duration.ofMinutes(1));

        waiting.get(60, TimeUnit.SECONDS);
        assertThat(logins.calls()).isEqualTo(1);
    }

    @Test
    void severalAnnotations_statedMaxWaits_shortestCounts() {
        limiters.get("login").tryAcquire("ada", 2);

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.waitShortest("ada", "acme"));
    }

    @Test
    void severalAnnotations_withTheSameKey_addTheirPermits() {
        logins.transfer("ada", "bob");
        assertThat(remaining("account", "ada")).isEqualTo(1);

        logins.transfer("eve", "eve");

        assertThat(remaining("account", "eve")).isZero();
    }

    @Test
    void key_ofAnotherBean_isUsed() {
        logins.askAnotherBean("ADA");

        assertThat(remaining("login", "ada")).isEqualTo(1);
    }

    @Test
    void key_nullOrWithoutText_failsAndDoesNotCallTheMethod() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logins.login(new Login(null)))
                .withMessage("the key of @RateLimited on Logins.login, #request.username, must not be null or empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> logins.login(null))
                .withMessageContaining("#request.username, cannot be evaluated");
        assertThat(logins.calls()).isZero();
    }

    @Test
    void futures_overTheLimit_completeWhenDueWithoutAThread() {
        assertThat(async.future("ada")).isCompletedWithValue("welcome ada");
        assertThat(async.stage("ada")).isCompletedWithValue("welcome ada");
        CompletableFuture<String> waiting = async.future("ada");
        assertThat(waiting).isNotDone();
        assertThat(async.calls()).isEqualTo(2);

        time.advance(Duration.ofMinutes(1));

        assertThat(waiting).succeedsWithin(Await.TIMEOUT).isEqualTo("welcome ada");
        assertThat(async.calls()).isEqualTo(3);
    }

    @Test
    void future_thatWouldWaitTooLong_failsAtOnce() {
        List<CompletableFuture<String>> earlier = Stream.generate(() -> async.future("ada"))
                .limit(4) // two now, two in a minute
                .toList();
        assertThat(earlier).filteredOn(CompletableFuture::isDone).hasSize(2);

        assertThat(async.future("ada"))
                .failsWithin(Await.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(RateLimitedException.class);
    }

    @Test
    void future_cancelledWhileItWaits_releasesExactlyItsPermits() {
        limiters.get("login").tryAcquire("ada", 2);
        CompletableFuture<String> cancelled = async.future("ada");
        CompletableFuture<String> kept = async.future("ada");

        cancelled.cancel(true);
        time.advance(Duration.ofMinutes(1));

        assertThat(kept).succeedsWithin(Await.TIMEOUT);
        assertThat(async.calls()).isEqualTo(1);
        assertThat(remaining("login", "ada")).isEqualTo(1);
    }

    @Test
    void future_cancelledAfterTheCall_cancelsThatOfTheMethod() {
        async.futureThatTakesLong("ada").cancel(true);

        assertThat(async.calls()).isEqualTo(1);
        assertThat(async.started()).isCancelled();
    }

    @Test
    void future_afterAWait_hasTheUserOfTheCaller() throws Exception {
        limiters.get("login").tryAcquire("ada", 2);
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "secret"));
        CompletableFuture<String> waiting;
        try {
            waiting = async.futureOfTheUser("ada");
        } finally {
            SecurityContextHolder.clearContext();
        }

        time.advance(Duration.ofMinutes(1));

        assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo("ada");
        assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
    }

    @Test
    void future_withAKeyThatFails_fails() {
        assertThat(async.future(null))
                .failsWithin(Await.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mono_isDecidedOnEachSubscription() {
        Mono<String> mono = async.mono("ada");
        assertThat(remaining("login", "ada")).isEqualTo(2);

        assertThat(mono.block()).isEqualTo("welcome ada 1");
        assertThat(mono.block()).isEqualTo("welcome ada 2");

        assertThat(remaining("login", "ada")).isZero();
        CompletableFuture<String> third = mono.toFuture();
        assertThat(third).isNotDone();
        time.advance(Duration.ofMinutes(1));
        assertThat(third).succeedsWithin(Await.TIMEOUT).isEqualTo("welcome ada 3");
    }

    @Test
    void mono_thatWouldWaitTooLong_failsAtOnce() {
        for (int i = 0; i < 4; i++) {
            async.mono("ada").subscribe();
        }

        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> async.mono("ada").block());
    }

    @Test
    void flux_cancelledWhileItWaits_releasesExactlyItsPermits() {
        assertThat(async.flux("ada").collectList().block()).isEqualTo(List.of("welcome", "ada"));
        async.flux("ada").subscribe();
        Disposable cancelled = async.flux("ada").subscribe();
        CompletableFuture<List<String>> kept = async.flux("ada").collectList().toFuture();

        cancelled.dispose();
        time.advance(Duration.ofMinutes(1));

        assertThat(kept).succeedsWithin(Await.TIMEOUT).isEqualTo(List.of("welcome", "ada"));
        assertThat(async.calls()).isEqualTo(3);
        assertThat(remaining("login", "ada")).isEqualTo(1);
    }

    @Test
    void mono_cancelledInTheInstantOfTheGrant_releasesItsPermits() {
        BaseSubscriber<String> subscriber = new BaseSubscriber<>() {};
        context.getBean(Services.Normalizer.class).whenAsked = subscriber::cancel;

        Mono.just("ada").hide().flatMap(async::monoThatAsks).subscribe(subscriber);

        assertThat(async.calls()).isZero();
        assertThat(remaining("login", "ada")).isEqualTo(2);
    }

    @Test
    void shadow_whoseKeyFails_doesNotFailTheCall() {
        logins.onlyAShadow(null);
        logins.onlyAShadow("ada");

        assertThat(logins.calls()).isEqualTo(2);
        assertThat(remaining("shadow", "ada")).isZero();
    }

    @Test
    void shadow_decidesAfterTheOthersAndNeverDenies() {
        logins.onlyAShadow("ada");
        logins.onlyAShadow("ada");
        assertThat(async.shadowed("ada").block()).isEqualTo("welcome ada");
        assertThat(remaining("shadow", "ada")).isZero();

        limiters.get("login").block("bob", Duration.ofMinutes(1));
        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.alsoAShadow("bob"));
        assertThat(remaining("shadow", "bob")).isEqualTo(1);

        limiters.get("login").unblock("bob");
        logins.alsoAShadow("bob");
        assertThat(remaining("shadow", "bob")).isZero();
    }

    @Test
    void shadow_ownMaxWait_neitherDeniesNorHoldsTheCall() throws Exception {
        limiters.get("login").tryAcquire("ada", 2);
        FutureTask<Void> waiting = new FutureTask<>(() -> logins.waitBesideAShadow("ada"), null);
        FutureTask<Void> denied = new FutureTask<>(() -> logins.onlyAShadowWaits("ada"), null);
        new Thread(waiting).start();
        untilWaiting(1);
        new Thread(denied).start();

        assertThatThrownBy(() -> denied.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(RateLimitedException.class);
        time.advance(Duration.ofMinutes(1));
        waiting.get(60, TimeUnit.SECONDS);
        assertThat(logins.calls()).isEqualTo(1);
    }

    @Test
    void limiter_isOutsideOfOtherAdvice() {
        Login ada = new Login("ada");
        logins.login(ada);
        logins.login(ada);
        assertThat(context.getBean(Contexts.OtherAdvice.class).calls).hasValue(2);

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> logins.login(ada));

        assertThat(context.getBean(Contexts.OtherAdvice.class).calls).hasValue(2);
    }

    @Test
    void proxyWithoutABean_isLimited() {
        Remote remote = context.getBean(Remote.class);
        assertThat(remote.call("ada")).isEqualTo("welcome ada");
        remote.call("ada");

        assertThatExceptionOfType(RateLimitedException.class).isThrownBy(() -> remote.call("ada"));
    }

    private void untilWaiting(int waiters) {
        Await.until("waiting", () -> time.waiting() >= waiters);
    }
}
