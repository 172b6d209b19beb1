package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class GenerateCommandTest {

    @Test
    void generate_sameOptions_givesTheSameLines() {
        String log = weir("generate", "--requests", "500").answer();

        assertThat(log.lines()).hasSize(500);
        assertThat(log).endsWith("\n");
        assertThat(weir("generate", "--requests", "500").answer()).isEqualTo(log);
        assertThat(weir("generate", "--requests", "500", "--seed", "1", "--clients", "1000")
                        .answer())
                .isEqualTo(log);
        assertThat(weir("generate", "--requests", "500", "--seed", "2").answer())
                .isNotEqualTo(log);
        assertThat(weir("generate", "--requests", "500", "--seed", "-9").answer())
                .isNotEqualTo(log);
    }

    @Test
    void generate_clients_boundsTheClients() {
        String log = weir("generate", "--requests", "500", "--clients", "3").answer();

        assertThat(log.lines().map(line -> line.substring(0, line.indexOf(' '))).distinct())
                .hasSizeBetween(2, 3);
    }

    @Test
    void generate_replayed_hasAllItsRequests() {
        String log = weir("generate", "--requests", "500").answer();

        Run run = new Run.Setup().stdin(log).weir("replay", "--json", "-");

        assertThat(run.answer()).startsWith("{\"requests\":500,").contains("\"skipped\":0,");
    }

    @Test
    void generate_readerIsClosed_endsQuietly() {
        Run run = new Run.Setup().stdout(Run.failing("Broken pipe")).weir("generate", "--requests", "100000000");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void generate_toFile_showsProgressIfWatched() {
        assertThat(new Run.Setup().watched().weir("generate", "--requests", "9").err())
                .startsWith("\rwriting ");
    }

    @Test
    void generate_toTerminal_showsNoProgress() {
        Run run = new Run.Setup().watched().terminal(80).weir("generate", "--requests", "9");

        assertThat(run.answer().lines()).hasSize(9);
    }
}
