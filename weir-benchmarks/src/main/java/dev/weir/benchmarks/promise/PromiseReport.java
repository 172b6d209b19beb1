package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Table;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The results as tables, as JSON and as a picture. */
record PromiseReport(List<Traffic> traffic, List<Result> results) {
    Report of(String header) {
        Formatter text = new Formatter(Locale.ROOT).format("%s%n", header);
        for (Traffic each : traffic) {
            long possible = of(each).get(0).rounds().get(0).possible();
            int requests = each.requests().size();
            text.format("%nTraffic: %s; %,d requests, ", each.description(), requests);
            text.format("of which the limit allows %,d.%n%n%s", possible, table(of(each)));
        }
        List<Section> sections = List.of(
                new Section("promise", text.toString()),
                new Section("promise-configuration", configurations().toString()));
        PromisePicture picture =
                new PromisePicture(traffic.stream().map(Traffic::name).toList(), results);
        return new Report(List.of(), sections, json(), picture.svg());
    }

    private List<Result> of(Traffic one) {
        return results.stream()
                .filter(result -> result.traffic().equals(one.name()))
                .toList();
    }

    private static Table table(List<Result> results) {
        Table table = new Table(List.of("limit: 100 per minute", "granted", "worst window", "use", "wrongly denied"));
        for (Result result : results) {
            table.add(List.of(
                    result.subject().title,
                    result.range("%,.0f", Finding::granted),
                    result.range("%,.0f", Finding::worstWindow),
                    result.use(),
                    result.wronglyDenied()));
        }
        return table;
    }

    private Table configurations() {
        Table table = new Table(List.of("limiter", "version", "configuration", "clock"));
        for (Subject each : results.stream().map(Result::subject).distinct().toList()) {
            table.add(List.of(each.title, each.version(), "`" + each.configuration + "`", each.clock));
        }
        return table;
    }

    /** Returns a list of objects, one for each limiter, traffic and round. */
    private String json() {
        StringJoiner objects = new StringJoiner(",\n ", "[", "]\n");
        for (Result result : results) {
            for (Finding finding : result.rounds()) {
                objects.add(json(result, finding));
            }
        }
        return objects.toString();
    }

    private static String json(Result result, Finding finding) {
        Subject subject = result.subject();
        return "{\"limiter\":" + quoted(subject.title) + ",\"version\":" + quoted(subject.version())
                + ",\"configuration\":" + quoted(subject.configuration) + ",\"clock\":" + quoted(subject.clock)
                + ",\"traffic\":" + quoted(result.traffic()) + ",\"requests\":" + finding.requests()
                + ",\"granted\":" + finding.granted() + ",\"possible\":" + finding.possible()
                + ",\"worstWindow\":" + finding.worstWindow() + ",\"wronglyDenied\":" + finding.wronglyDenied() + "}";
    }

    private static String quoted(String text) {
        return '"' + text.replaceAll("[\\\\\"]", "\\\\$0") + '"';
    }
}
