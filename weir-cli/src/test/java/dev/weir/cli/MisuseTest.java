package dev.weir.cli;

import static dev.weir.cli.Run.weir;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The message of each mistake on the command line. */
final class MisuseTest {

    @ParameterizedTest
    @MethodSource("mistakes")
    void run_mistake_reportsWhatIsWrong(String args, String complaint) {
        assertThat(weir(args.split(" ", -1)).complaint()).isEqualTo(complaint);
    }

    static Stream<Arguments> mistakes() {
        String most = "9223372036854775807";
        return Stream.of(
                arguments("bogus", "unknown command 'bogus'; see 'weir --help'"),
                arguments("bogus --help", "unknown command 'bogus'; see 'weir --help'"),
                arguments("--help bogus", "unknown command 'bogus'; see 'weir --help'"),
                arguments("bogus --version", "unknown command 'bogus'; see 'weir --help'"),
                arguments("repaly --help", "unknown command 'repaly' (did you mean 'replay'?); see 'weir --help'"),
                arguments("repaly a.log", "unknown command 'repaly' (did you mean 'replay'?); see 'weir --help'"),
                arguments("hlep", "unknown command 'hlep' (did you mean 'help'?); see 'weir --help'"),
                arguments("help repaly", "unknown command 'repaly' (did you mean 'replay'?); see 'weir --help'"),
                arguments("help no", "unknown command 'no'; see 'weir --help'"),
                arguments("help a b", "'b' is too many; one COMMAND is taken; see 'weir help --help'"),
                arguments("gen", "unknown command 'gen' (did you mean 'generate'?); see 'weir --help'"),
                arguments("new\nline", "unknown command 'new\\x0aline'; see 'weir --help'"),
                arguments("-", "unknown command '-'; see 'weir --help'"),
                arguments("--verison", "unknown option '--verison' (did you mean '--version'?); see 'weir --help'"),
                arguments("--help=3", "--help takes no value; '3' is not a boolean"),
                arguments("-x", "unknown option '-x'; see 'weir --help'"),
                arguments("replay", "FILE is missing; see 'weir replay --help'"),
                arguments("replay a b", "'b' is too many; one FILE is taken; see 'weir replay --help'"),
                arguments(
                        "replay --limt=1/1s a",
                        "unknown option '--limt' (did you mean '--limit'?); see 'weir replay --help'"),
                arguments(
                        "generate --request 3",
                        "unknown option '--request' (did you mean '--requests'?); see 'weir generate --help'"),
                arguments(
                        "replay --report a",
                        "--report must be a file name that ends with .html, .svg or .png, was 'a'"),
                arguments("replay a --limit", "--limit needs a value; see 'weir replay --help'"),
                arguments("replay --limit --json a", "--limit needs a value; see 'weir replay --help'"),
                arguments("replay --json --json a", "--json is given twice; see 'weir replay --help'"),
                arguments("replay --json=maybe a", "--json takes no value; 'maybe' is not a boolean"),
                arguments("replay --key a --key b c", "--key is given twice; see 'weir replay --help'"),
                arguments("replay --key= a", "--key must be ip, user, path or a field's name, was empty"),
                arguments("replay --order=random a", "--order must be time or file, was 'random'"),
                arguments(
                        "replay --format xml a",
                        "--format must be auto, combined, csv, jsonl, alb, cloudfront, elb, s3, caddy, traefik, envoy,"
                                + " istio, haproxy, squid, iis or regex:PATTERN, was 'xml'"),
                arguments(
                        "replay --format combnied a",
                        "--format must be auto, combined, csv, jsonl, alb, cloudfront, elb, s3, caddy, traefik, envoy,"
                                + " istio, haproxy, squid, iis or regex:PATTERN, was 'combnied' (did you mean 'combined'?)"),
                arguments("replay --order=tiem a", "--order must be time or file, was 'tiem' (did you mean 'time'?)"),
                arguments(
                        "replay --client frist a",
                        "--client must be first, last or N-from-right such as 2-from-right, counted from 1, was 'frist'"
                                + " (did you mean 'first'?)"),
                arguments(
                        "replay --client 0-from-right a",
                        "--client must be first, last or N-from-right such as 2-from-right, counted from 1, was"
                                + " '0-from-right'"),
                arguments(
                        "replay --redis nope /no/such/file",
                        "--redis: uri must be like redis://host:6379, rediss://, redis-sentinel://host:26379/0#name or"
                                + " redis-cluster://host:7000,host:7001; it is none of these"),
                arguments("replay --year 26 a", "--year must be a whole number from 1970 to 2261, was '26'"),
                arguments("replay --time-field= a", "--time-field must be a field's name, was empty"),
                arguments(
                        "replay --time-feild x a",
                        "unknown option '--time-feild' (did you mean '--time-field'?); see 'weir replay --help'"),
                arguments("replay --format regex:( a", "--format regex: Unclosed group at position 1 of '('"),
                arguments(
                        "replay --time-format qq a",
                        "--time-format 'qq' must contain at least year, month and day," + " as in yyyy-MM-dd HH:mm:ss"),
                arguments(
                        "replay --limit 5/x a",
                        "--limit '5/x', column 3: 'x' is not a duration;"
                                + " expected a duration such as 10ms, 1s, 1m, 1h, 1d, 1w or PT1M"),
                arguments(
                        "replay --limit gcra 5/1s a",
                        "--limit 'gcra', column 5: PERMITS/WINDOW is missing after 'gcra'; expected e.g. 100/1m"
                                + " (in quotes, if it has spaces: --limit \"gcra 5/1s\")"),
                arguments("replay /no/such/file", "cannot read /no/such/file: there is no such file"),
                arguments("replay --limit 5/1s ", "FILE is empty; give a file's name, or - for standard input"),
                arguments("replay -- -x", "cannot read -x: there is no such file"),
                arguments("replay nul\0", "nul\\x00 cannot be a file's name here: Nul character not allowed"),
                arguments("serve --config nul\0", "--config cannot be a file's name here: Nul character not allowed"),
                arguments(
                        "serve --port 8091 --grpc-port 8091", "the ports of HTTP and gRPC must differ, both were 8091"),
                arguments("serve --grpc-port 8080", "the ports of HTTP and gRPC must differ, both were 8080"),
                arguments("verify", "--limit and TRACE.csv are missing; see 'weir verify --help'"),
                arguments("verify a", "--limit is missing; see 'weir verify --help'"),
                arguments("verify --limit 1/1s", "TRACE.csv is missing; see 'weir verify --help'"),
                arguments("verify --limit 1/1s --limit 2/1s a", "--limit is given twice; see 'weir verify --help'"),
                arguments("verify --limit 1/1s --json a", "unknown option '--json'; see 'weir verify --help'"),
                arguments("generate", "--requests is missing; see 'weir generate --help'"),
                arguments("generate 5", "--requests is missing; see 'weir generate --help'"),
                arguments(
                        "generate --requests 1 x",
                        "'x' is too many; only options are taken; see 'weir generate --help'"),
                arguments("generate --requests", "--requests needs a value; see 'weir generate --help'"),
                arguments("generate --requests 0", "--requests must be a whole number from 1 to " + most + ", was '0'"),
                arguments(
                        "generate --requests -5", "--requests must be a whole number from 1 to " + most + ", was '-5'"),
                arguments(
                        "generate --requests 1e6",
                        "--requests must be a whole number from 1 to " + most + ", was '1e6'"),
                arguments("generate --requests 1 --seed x", "--seed must be a whole number, was 'x'"),
                arguments(
                        "generate --requests 1 --clients 0",
                        "--clients must be a whole number from 1 to 4194304, was '0'"));
    }
}
