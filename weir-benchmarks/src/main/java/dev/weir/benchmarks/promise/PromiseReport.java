package dev.weir.benchmarks.promise;

import dev.weir.benchmarks.promise.Examination.Finding;
import dev.weir.benchmarks.report.Section;
import dev.weir.benchmarks.report.Section.Report;
import dev.weir.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The results as tables, as JSON and as a picture. */
record PromiseReport(List<Traffic> traffic, List<Result> results) {
    Report of(String header) {
        StringBuilder text = new StringBuilder(header).append("\n");
        for (Traffic each : traffic) {
            text.append(String.format(
                    Locale.ROOT,
                    "%nTraffic: %s; %,d requests, of which the limit allows %,d.%n%n",
                    each.description(),
                    each.requests().size(),
                    of(each).get(0).rounds().get(0).possible()));
            text.append(table(of(each)));
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
        List<String> objects = new ArrayList<>();
        for (Result result : results) {
            for (Finding finding : result.rounds()) {
                objects.add(json(result, finding));
            }
        }
        return objects.stream().collect(Collectors.joining(",\n ", "[", "]\n"));
    }

    private static String json(Result result, Finding finding) {
        Subject subject = result.subject();
        return String.format(
                Locale.ROOT,
                "{\"limiter\":%s,\"version\":%s,\"configuration\":%s,\"clock\":%s,\"traffic\":%s,\"requests\":%d,"
                        + "\"granted\":%d,\"possible\":%d,\"worstWindow\":%d,\"wronglyDenied\":%d}",
                quoted(subject.title),
                quoted(subject.version()),
                quoted(subject.configuration),
                quoted(subject.clock),
                quoted(result.traffic()),
                finding.requests(),
                finding.granted(),
                finding.possible(),
                finding.worstWindow(),
                finding.wronglyDenied());
    }

    private static String quoted(String text) {
        return '"' + text.replaceAll("[\\\\\"]", "\\\\$0") + '"';
    }
}
