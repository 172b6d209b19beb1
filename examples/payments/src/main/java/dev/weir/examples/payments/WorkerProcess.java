package dev.weir.examples.payments;

import dev.weir.FailurePolicy;
import dev.weir.RateLimiter;
import dev.weir.http.OutboundLimiter;
import dev.weir.http.okhttp.RateLimitInterceptor;
import dev.weir.redis.RedisStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/**
 * One process of the fleet. Its workers call a provider as fast as the limiter lets them. A program: it prints {@code ready},
 * starts with the first line of its input, and ends when its input ends.
 */
public final class WorkerProcess {
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);
    private static final Duration USE_WITHIN = Duration.ofMillis(50);
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String process;
    private final RedisStore store;
    private final CountDownLatch warm;
    private final CountDownLatch go = new CountDownLatch(1);

    private WorkerProcess(String process, String redis, int workers) {
        this.process = process;
        this.store = RedisStore.builder(redis).timeout(Duration.ofSeconds(1)).connect();
        this.warm = new CountDownLatch(workers);
    }

    /** Runs a process: its name, the URI of Redis, and for each provider its name, its URI, its permits and the number of workers. */
    public static void main(String... words) throws Exception {
        int workers = 0;
        for (int i = 2; i < words.length; i += 4) {
            workers += Integer.parseInt(words[i + 3]);
        }
        WorkerProcess process = new WorkerProcess(words[0], words[1], workers);
        for (int i = 2; i < words.length; i += 4) {
            process.start(words[i], words[i + 1], Integer.parseInt(words[i + 2]), Integer.parseInt(words[i + 3]));
        }
        process.warm.await();
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (input.readLine() != null) {
            process.go.countDown();
            while (input.readLine() != null) {
                // until the parent ends
            }
        }
        Runtime.getRuntime().halt(0); // what is in flight does not matter any more
    }

    private void start(String name, String uri, int permits, int workers) {
        RateLimiter limiter = RateLimiter.builder()
                .name(name)
                .limits(Fleet.limits(permits))
                .store(store)
                .whenStoreFails(FailurePolicy.closed())
                .executor(Runnable::run) // a worker is woken up by the thread that knows that it is due
                .build();
        OutboundLimiter outbound = OutboundLimiter.builder(limiter)
                .key(call -> call.getPath()) // a warm-up has a limit of its own
                .maxWait(MAX_WAIT)
                .useWithin(USE_WITHIN)
                .countTwiceAfter(Fleet.MARGIN)
                .build();
        OkHttpClient client = new OkHttpClient.Builder()
                .addNetworkInterceptor(new RateLimitInterceptor(outbound))
                .connectionPool(new ConnectionPool(workers, 1, TimeUnit.MINUTES))
                .build();
        for (int i = 0; i < workers; i++) {
            String worker = process + "-" + i;
            Thread thread = new Thread(() -> work(client, uri, worker), name + "-" + worker);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void work(OkHttpClient client, String uri, String worker) {
        try {
            long end = System.nanoTime() + WARM_UP_NANOS;
            while (System.nanoTime() - end < 0) {
                pay(client, uri + "/warm-up", worker, 0);
            }
            warm.countDown();
            go.await();
            long waited = 0;
            while (true) {
                long start = System.nanoTime();
                boolean sent = pay(client, uri + "/pay", worker, waited);
                waited = sent ? System.nanoTime() - start : 0;
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a call, with the duration of the worker's call before it. Returns false if it could not be sent. */
    private static boolean pay(OkHttpClient client, String uri, String worker, long waitedNanos) {
        Request request = new Request.Builder()
                .url(uri)
                .header(Provider.WORKER, worker)
                .header(Provider.WAITED, Long.toString(waitedNanos / 1_000))
                .build();
        try (Response response = client.newCall(request).execute()) {
            return response.code() > 0;
        } catch (IOException failure) {
            System.err.println(worker + ": " + failure);
            LockSupport.parkNanos(RETRY_NANOS);
            return false;
        }
    }
}
