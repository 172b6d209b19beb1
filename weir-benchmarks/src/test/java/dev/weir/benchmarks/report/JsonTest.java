package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonTest {

    @Test
    void of_goals_isOneLineEachWithTheWorstRatio() {
        assertThat(Json.of(Fixed.results())).isEqualTo("""
                [{"name":"one key, 1 thread, admitted, against nanoTime + CAS","ratio":1.250,"must":1.5,"aim":1.15,"better":"lower"},
                 {"name":"one key, 1 thread, admitted, against the fastest peer","ratio":0.625,"must":1.0,"aim":0.65,"better":"lower"},
                 {"name":"one key, 2 threads, below the limit, against the fastest peer","ratio":0.667,"must":0.7,"aim":0.25,"better":"lower"},
                 {"name":"one key, 2 threads, at the limit, against the fastest peer","ratio":0.667,"must":1.0,"aim":0.6,"better":"lower"},
                 {"name":"denied, against nanoTime","ratio":1.250,"must":1.6,"aim":1.15,"better":"lower"},
                 {"name":"1,000,000 keys, against map get and clock","ratio":1.250,"must":1.6,"aim":1.2,"better":"lower"},
                 {"name":"1,000,000 keys, against the fastest peer","ratio":0.667,"must":1.0,"aim":0.8,"better":"lower"},
                 {"name":"bytes an entry at 1,000,000 a minute, default resolution","ratio":1.050,"must":8.0,"aim":1.5,"better":"lower"},
                 {"name":"bytes an entry at 1,000,000 a minute, resolution=1us","ratio":8.004,"must":8.0,"aim":3.0,"better":"lower"},
                 {"name":"bytes of an idle key without its string","ratio":63.960,"must":104.0,"aim":64.0,"better":"lower"},
                 {"name":"bytes allocated per decision, against a Decision","ratio":1.000,"must":1.0,"aim":0.0,"better":"lower"}]
                """);
    }

    @Test
    void of_nothing_isEmptyList() {
        assertThat(Json.of(List.of())).isEqualTo("[]\n");
    }
}
