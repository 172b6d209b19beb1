package dev.weir.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which callers need no token. */
final class LocalCallersTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "127.1.2.3, true",
        "0:0:0:0:0:0:0:1, true",
        "192.0.2.1, false",
        "10.0.0.1, false",
        "2001:db8::1, false"
    })
    void withoutToken_onlyThisMachineIsAnswered(String peer, boolean accepted) {
        HttpCall call = new HttpCall(
                false,
                "GET",
                "/v1/keys/a",
                "policy=api",
                name -> name.equals("Host") ? List.of("localhost") : List.of(),
                peer,
                Buffer.buffer());
        AdminAccess access = new AdminAccess(null);

        if (accepted) {
            assertThatCode(() -> access.check(call)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> access.check(call))
                    .isInstanceOfSatisfying(
                            HttpProblem.class,
                            refused -> assertThat(refused.status()).isEqualTo(403));
        }
    }
}
