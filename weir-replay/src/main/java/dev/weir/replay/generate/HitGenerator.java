package dev.weir.replay.generate;

import java.util.List;
import java.util.PriorityQueue;

/**
 * A generator of the hits of a synthetic log, one after the other in the order in which they are answered. Visits begin by chance, more
 * of them at busy hours; each brings its hits at once, which wait here for their time. Most visits are people who load
 * pages with their assets; some are crawlers, programs that poll, and scanners that hammer.
 */
final class HitGenerator {
    private static final long DAY = 86_400_000; // ms
    private static final int REQUESTS_PER_DAY = 10_000; // up to a week of days
    private static final int MAX_DAYS = 7;
    private static final int HITS_PER_VISIT = 14; // as it comes out
    private static final int CRAWLERS = 3;
    private static final int SCANNERS = 2;
    private static final int PROGRAMS = 4;

    private final SplitMix64 random;
    private final Popularity popularity;
    private final int clients;
    private final long busyGapMillis; // between two visits at the busiest hour
    private final PriorityQueue<Hit> pending = new PriorityQueue<>();
    private long visitMillis; // when the next visit begins
    private long made;

    HitGenerator(long requests, long seed, int clients) {
        this.random = new SplitMix64(seed);
        this.popularity = new Popularity(clients);
        this.clients = clients;
        int days = (int) Math.min(MAX_DAYS, 1 + (requests - 1) / REQUESTS_PER_DAY);
        long visits = Math.max(1, requests / HITS_PER_VISIT);
        this.busyGapMillis = Math.max(1, days * DAY * DailyRhythm.meanPercent(days) / 100 / visits);
    }

    /** Returns the next hit; there is always one. */
    Hit next() {
        while (pending.isEmpty() || pending.peek().endMillis() > visitMillis) {
            visit();
            visitMillis += random.exponential(busyGapMillis * 100 / DailyRhythm.percent(visitMillis));
        }
        return pending.remove();
    }

    private void visit() {
        int kind = random.below(1000);
        if (kind < 10) {
            scan();
        } else if (kind < 50) {
            poll();
        } else if (kind < 100) {
            crawl();
        } else {
            browse();
        }
    }

    private void browse() {
        int client = popularity.draw(random);
        String user = Clients.user(client);
        String agent = Site.BROWSERS.get(client % Site.BROWSERS.size());
        boolean returning = random.percent(30);
        String referer = random.percent(40) ? "https://search.example.net/" : "-";
        long at = visitMillis;
        int pages = 1 + random.below(random.between(1, 6));
        for (int page = 0; page < pages; page++) {
            String target = pick(Site.PAGES);
            int status = random.percent(1) ? (random.percent(80) ? 404 : 500) : 200;
            hit(at, pageMillis(), client, user, get(target), status, target, referer, agent);
            referer = Site.ORIGIN + target;
            int assets = page == 0 ? Site.COMMON_ASSETS.size() : random.below(3);
            for (int i = 0; i < assets; i++) {
                String asset = page == 0 ? Site.COMMON_ASSETS.get(i) : "/img/photo-" + random.below(500) + ".jpg";
                int answer = returning && page == 0 ? 304 : 200;
                long start = at + random.between(80, 900);
                hit(start, random.between(1, 40), client, user, get(asset), answer, asset, referer, agent);
            }
            at += 2_000 + random.exponential(15_000);
        }
    }

    private void crawl() {
        int client = abuser(random.below(CRAWLERS));
        long at = visitMillis;
        int pages = random.between(10, 60);
        for (int page = 0; page < pages; page++) {
            String target = page == 0 ? "/robots.txt" : pick(Site.PAGES);
            hit(at, pageMillis(), client, "-", get(target), 200, target, "-", Site.CRAWLER);
            at += 300 + random.exponential(1_200);
        }
    }

    private void poll() {
        int program = random.below(PROGRAMS);
        int client = abuser(CRAWLERS + SCANNERS + program);
        long at = visitMillis;
        int calls = random.between(10, 70);
        for (int call = 0; call < calls; call++) {
            String target = pick(Site.API) + random.below(10_000);
            hit(at, random.between(5, 60), client, "app-" + program, get(target), 200, target, "-", Site.APP);
            at += random.between(400, 2_500);
        }
    }

    private void scan() {
        int client = abuser(CRAWLERS + random.below(SCANNERS));
        long at = visitMillis;
        int probes = random.between(100, 300);
        for (int probe = 0; probe < probes; probe++) {
            String request = pick(Site.PROBES);
            int status = request.startsWith("POST") ? 401 : 404;
            hit(at, random.between(2, 80), client, "-", request, status, request, "-", Site.SCANNER);
            at += random.exponential(200);
        }
    }

    /** Clients with excessive traffic have the highest numbers, which few human visitors share. */
    private int abuser(int number) {
        return Math.floorMod(clients - 1 - number, clients);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1";
    }

    private String pick(List<String> choices) {
        return choices.get(random.below(choices.size()));
    }

    private long pageMillis() {
        return random.percent(1) ? random.between(1_000, 8_000) : random.between(20, 400);
    }

    private void hit(
            long start,
            long took,
            int client,
            String user,
            String request,
            int status,
            String target,
            String referer,
            String agent) {
        int size = status == 304 ? 0 : Site.size(target);
        pending.add(new Hit(made++, start, start + took, client, user, request, status, size, referer, agent));
    }
}
